import time


class Cache:
    # my cache class
    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if type(capacity) != int:
            raise TypeError("capacity has to be int")
        if capacity < 0:
            raise ValueError("capacity can not be negative")
        if ttl is not None:
            if type(ttl) != int and type(ttl) != float:
                raise TypeError("ttl has to be a number")
            if ttl <= 0:
                raise ValueError("ttl has to be bigger than 0")
        self.capacity = capacity
        self.ttl = ttl
        self.clock = clock
        self.values = {}
        self.times = {}
        self.order = []
        self.hits = 0
        self.misses = 0
        self.evictions = 0
        self.expirations = 0

    def put(self, key, value, ttl=None):
        hash(key)
        if ttl is not None:
            if type(ttl) != int and type(ttl) != float:
                raise TypeError("ttl has to be a number")
            if ttl <= 0:
                raise ValueError("ttl has to be bigger than 0")
        else:
            ttl = self.ttl
        if self.capacity == 0:
            return
        now = self.clock()
        # throw away the old ones first
        for k in list(self.order):
            if self.times[k] is not None and now >= self.times[k]:
                self.order.remove(k)
                del self.values[k]
                del self.times[k]
                self.expirations += 1
        if key in self.values:
            self.order.remove(key)
        else:
            if len(self.order) == self.capacity:
                oldest = self.order.pop(0)
                del self.values[oldest]
                del self.times[oldest]
                self.evictions += 1
        self.values[key] = value
        if ttl is None:
            self.times[key] = None
        else:
            self.times[key] = now + ttl
        self.order.append(key)

    def get(self, key, default=None):
        if key in self.values:
            if self.times[key] is not None and self.clock() >= self.times[key]:
                self.order.remove(key)
                del self.values[key]
                del self.times[key]
                self.expirations += 1
                self.misses += 1
                return default
            self.order.remove(key)
            self.order.append(key)
            self.hits += 1
            return self.values[key]
        self.misses += 1
        return default

    def peek(self, key, default=None):
        if key in self.values:
            if self.times[key] is not None and self.clock() >= self.times[key]:
                return default
            return self.values[key]
        return default

    def __contains__(self, key):
        if key in self.values:
            if self.times[key] is not None and self.clock() >= self.times[key]:
                return False
            return True
        return False

    def get_or_load(self, key, load):
        if key in self.values:
            if self.times[key] is None or self.clock() < self.times[key]:
                self.order.remove(key)
                self.order.append(key)
                self.hits += 1
                return self.values[key]
        self.misses += 1
        value = load(key)
        self.put(key, value)
        return value

    def delete(self, key):
        if key in self:
            self.order.remove(key)
            del self.values[key]
            del self.times[key]
            return True
        return False

    def clear(self):
        self.values = {}
        self.times = {}
        self.order = []

    def __len__(self):
        return len(self.keys())

    def keys(self):
        result = []
        for k in self.order:
            if k in self:
                result.append(k)
        return result

    def stats(self):
        # count the dead ones
        for k in list(self.order):
            if self.times[k] is not None and self.clock() >= self.times[k]:
                self.order.remove(k)
                del self.values[k]
                del self.times[k]
                self.expirations += 1
        return {"hits": self.hits, "misses": self.misses, "evictions": self.evictions, "expirations": self.expirations}
