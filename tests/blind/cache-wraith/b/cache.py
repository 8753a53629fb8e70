"""An LRU cache with expiry."""

import time

_unset = object()


class Cache:

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if not isinstance(capacity, int):
            raise TypeError("capacity has to be an int")
        if capacity < 0:
            raise ValueError("capacity has to be 0 or more")
        if ttl is not None:
            if isinstance(ttl, bool) or not isinstance(ttl, (int, float)):
                raise TypeError("ttl has to be a number")
            if not ttl > 0:
                raise ValueError("ttl has to be above 0")
        self._capacity = capacity
        self._ttl = ttl
        self._clock = clock
        self._data = {}     # key -> [value, end or None, number of last use]
        self._uses = 0
        self._stats = {"hits": 0, "misses": 0, "evictions": 0, "expirations": 0}

    def put(self, key, value, *, ttl=_unset):
        if ttl is _unset:
            ttl = self._ttl
        elif ttl is not None:
            if isinstance(ttl, bool) or not isinstance(ttl, (int, float)):
                raise TypeError("ttl has to be a number")
            if not ttl > 0:
                raise ValueError("ttl has to be above 0")
        hash(key)
        if self._capacity == 0:
            return
        end = None if ttl is None else self._clock() + ttl
        if not self._live(key) and len(self._data) >= self._capacity:
            oldest = min(self._data, key=lambda k: self._data[k][2])
            del self._data[oldest]
            self._stats["evictions"] += 1
        self._uses += 1
        self._data[key] = [value, end, self._uses]

    def _live(self, key):
        if key not in self._data:
            return False
        end = self._data[key][1]
        if end is not None and self._clock() >= end:
            del self._data[key]
            self._stats["expirations"] += 1
            return False
        return True

    def get(self, key, default=None):
        if not self._live(key):
            self._stats["misses"] += 1
            return default
        self._stats["hits"] += 1
        self._uses += 1
        self._data[key][2] = self._uses
        return self._data[key][0]

    def peek(self, key, default=None):
        return self._data[key][0] if self._live(key) else default

    def __contains__(self, key):
        return self._live(key)

    def get_or_load(self, key, load):
        value = self.get(key, _unset)
        if value is _unset:
            value = load(key)
            self.put(key, value)
        return value

    def delete(self, key):
        if self._live(key):
            del self._data[key]
            return True
        return False

    def clear(self):
        self._data = {}

    def __len__(self):
        return len(self._data)

    def keys(self):
        return list(self._data)

    def stats(self):
        return dict(self._stats)
