"""LRU cache with time to live, tested in test_cache.py (python -m unittest)."""

import heapq
import time
from collections import OrderedDict
from math import isfinite

_NO_TTL_GIVEN = object()


class Item(object):
    def __init__(self, value, expires):
        self.value = value
        self.expires = expires


class Cache(object):
    """Bounded mapping; least recently used items are evicted, expired ones vanish."""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if isinstance(capacity, bool) or not isinstance(capacity, int):
            raise TypeError("capacity: int expected, got %r" % (capacity,))
        if capacity < 0:
            raise ValueError("capacity: must be >= 0, got %d" % capacity)
        self._validate_ttl(ttl)
        self._capacity = capacity
        self._ttl = ttl
        self._clock = clock
        self._items = OrderedDict()
        self._queue = []
        self._sequence = 0
        self._hits = self._misses = self._evictions = self._expirations = 0

    @staticmethod
    def _validate_ttl(ttl):
        if ttl is None:
            return
        if isinstance(ttl, bool) or not isinstance(ttl, (int, float)):
            raise TypeError("ttl: number or None expected, got %r" % (ttl,))
        if not isfinite(ttl) or ttl <= 0:
            raise ValueError("ttl: must be finite and > 0, got %r" % (ttl,))

    def _drop_expired(self):
        now = self._clock()
        while self._queue and self._queue[0][0] <= now:
            expires, _, key = heapq.heappop(self._queue)
            item = self._items.get(key)
            if item is not None and item.expires == expires:
                del self._items[key]
                self._expirations += 1

    def put(self, key, value, *, ttl=_NO_TTL_GIVEN):
        """Store value under key and mark it as most recently used."""
        if ttl is _NO_TTL_GIVEN:
            ttl = self._ttl
        else:
            self._validate_ttl(ttl)
        hash(key)
        self._drop_expired()
        expires = None
        if ttl is not None:
            expires = self._clock() + ttl
            self._sequence += 1
            heapq.heappush(self._queue, (expires, self._sequence, key))
        self._items[key] = Item(value, expires)
        self._items.move_to_end(key)
        if len(self._items) > self._capacity:
            self._items.popitem(last=False)
            self._evictions += 1

    def get(self, key, default=None):
        """Return the value and mark it as most recently used."""
        self._drop_expired()
        if key not in self._items:
            self._misses += 1
            return default
        self._hits += 1
        self._items.move_to_end(key)
        return self._items[key].value

    def get_or_load(self, key, load):
        """Return the cached value, calling load(key) if there is none."""
        self._drop_expired()
        if key in self._items:
            self._hits += 1
            self._items.move_to_end(key)
            return self._items[key].value
        self._misses += 1
        value = load(key)
        self.put(key, value)
        return value

    def peek(self, key, default=None):
        self._drop_expired()
        if key not in self._items:
            return default
        return self._items[key].value

    def __contains__(self, key):
        self._drop_expired()
        return key in self._items

    def delete(self, key):
        self._drop_expired()
        if key not in self._items:
            return False
        del self._items[key]
        return True

    def clear(self):
        self._drop_expired()
        self._items.clear()
        self._queue = []

    def __len__(self):
        self._drop_expired()
        return len(self._items)

    def keys(self):
        self._drop_expired()
        return list(self._items)

    def stats(self):
        self._drop_expired()
        return {
            "hits": self._hits,
            "misses": self._misses,
            "evictions": self._evictions,
            "expirations": self._expirations,
        }
