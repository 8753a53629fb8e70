"""LRU cache with time to live."""

import time
from collections import OrderedDict


class Cache:
    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if capacity < 0:
            raise ValueError("capacity must not be negative")
        self.capacity = capacity
        self.ttl = ttl
        self.clock = clock
        self.data = OrderedDict()
        self.hits = 0
        self.misses = 0
        self.evictions = 0
        self.expirations = 0

    def put(self, key, value, *, ttl=None):
        if ttl is None:
            ttl = self.ttl
        expires = None
        if ttl:
            expires = self.clock() + ttl
        if key in self.data:
            self.data.move_to_end(key)
        elif len(self.data) >= self.capacity:
            if self.capacity == 0:
                return
            self.data.popitem(last=False)
            self.evictions += 1
        self.data[key] = (value, expires)

    def get(self, key, default=None):
        if key in self.data:
            value, expires = self.data[key]
            if expires is not None and self.clock() > expires:
                del self.data[key]
                self.expirations += 1
                self.misses += 1
                return default
            self.data.move_to_end(key)
            self.hits += 1
            return value
        self.misses += 1
        return default

    def peek(self, key, default=None):
        return self.get(key, default)

    def __contains__(self, key):
        if key in self.data:
            value, expires = self.data[key]
            if expires is not None and self.clock() > expires:
                del self.data[key]
                self.expirations += 1
                return False
            return True
        return False

    def get_or_load(self, key, load):
        if key in self:
            return self.get(key)
        self.misses += 1
        value = load(key)
        self.put(key, value)
        return value

    def delete(self, key):
        if key in self:
            del self.data[key]
            return True
        return False

    def clear(self):
        self.data.clear()

    def __len__(self):
        return len(self.data)

    def keys(self):
        return list(self.data)

    def stats(self):
        return {
            "hits": self.hits,
            "misses": self.misses,
            "evictions": self.evictions,
            "expirations": self.expirations,
        }
