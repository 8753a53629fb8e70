import time


class Cache:

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if type(capacity) != int:
            raise TypeError("capacity")
        if capacity < 0:
            raise ValueError("capacity")
        self.c = capacity
        self.t = ttl
        self.clock = clock
        self.d = {}
        self.l = []
        self.h = 0
        self.m = 0
        self.e = 0
        self.x = 0

    def put(self, key, value, *, ttl=None):
        if self.c == 0:
            return
        # first throw away the old ones
        for k in list(self.l):
            if self.d[k][1] != None:
                if time.monotonic() >= self.d[k][1]:
                    del self.d[k]
                    self.l.remove(k)
                    self.x = self.x + 1
        if ttl == None:
            ttl = self.t
        if ttl != None:
            if ttl <= 0:
                raise ValueError("ttl")
            end = time.monotonic() + ttl
        else:
            end = None
        if key in self.d:
            self.d[key] = [value, end]
        else:
            if len(self.l) >= self.c:
                k = self.l[0]
                self.l.remove(k)
                del self.d[k]
                self.e = self.e + 1
            self.d[key] = [value, end]
            self.l.append(key)

    def get(self, key, default=None):
        if key in self.d:
            if self.d[key][1] != None:
                if time.monotonic() >= self.d[key][1]:
                    del self.d[key]
                    self.l.remove(key)
                    self.x = self.x + 1
                    self.m = self.m + 1
                    return default
            self.l.remove(key)
            self.l.append(key)
            self.h = self.h + 1
            return self.d[key][0]
        else:
            self.m = self.m + 1
            return default

    def peek(self, key, default=None):
        if key in self.d:
            if self.d[key][1] != None:
                if time.monotonic() >= self.d[key][1]:
                    return default
            return self.d[key][0]
        else:
            return default

    def __contains__(self, key):
        if key in self.d:
            if self.d[key][1] != None:
                if time.monotonic() >= self.d[key][1]:
                    return False
            return True
        return False

    def get_or_load(self, key, load):
        v = self.get(key)
        if v == None:
            v = load(key)
            self.put(key, v)
        return v

    def delete(self, key):
        if key in self:
            del self.d[key]
            self.l.remove(key)
            return True
        return False

    def clear(self):
        self.d = {}
        self.l = []

    def __len__(self):
        n = 0
        for k in self.l:
            if k in self:
                n = n + 1
        return n

    def keys(self):
        r = []
        for k in self.l:
            if k in self:
                r.append(k)
        return r

    def stats(self):
        return {"hits": self.h, "misses": self.m, "evictions": self.e, "expirations": self.x}
