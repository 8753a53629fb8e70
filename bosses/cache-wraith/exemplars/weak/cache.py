import time


class Cache:
    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        self.capacity = capacity
        self.ttl = ttl
        self.clock = clock
        self.values = {}
        self.times = {}
        self.order = []

    def put(self, key, value, ttl=None):
        if key in self.order:
            self.order.remove(key)
        self.order.append(key)
        self.values[key] = value
        self.times[key] = self.clock()
        if len(self.order) > self.capacity:
            old = self.order[0]
            self.order.remove(old)
            del self.values[old]
            del self.times[old]

    def get(self, key, default=None):
        if self.values.get(key) and not self.is_old(key):
            return self.values[key]
        return default

    def is_old(self, key):
        # entries without ttl never get old
        if not self.ttl:
            return False
        return self.clock() - self.times[key] > self.ttl

    def peek(self, key, default=None):
        return self.get(key, default)

    def __contains__(self, key):
        return self.get(key) is not None

    def delete(self, key):
        if key in self.order:
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
        return len(self.order)

    def keys(self):
        return self.order

    def get_or_load(self, key, load):
        if not self.get(key):
            self.put(key, load(key))
        return self.get(key)

    def stats(self):
        return {}
