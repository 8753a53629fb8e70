"""A cache that holds a fixed number of entries, each for its time."""

import time


class Cache:
    """The least recently used entry makes room; an expired one is gone."""

    _data = {}
    _ends = {}
    _hits = 0
    _misses = 0

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        """Make an empty cache."""
        if capacity < 0:
            raise ValueError("capacity")
        self._capacity = capacity
        self._ttl = ttl
        self._clock = clock

    def put(self, key, value, *, ttl=None):
        """Store a value."""
        # TODO: ttl of its own
        if len(self._data) >= self._capacity and key not in self._data:
            first = next(iter(self._data))
            self.delete(first)
        self._data[key] = value
        if self._ttl:
            self._ends[key] = self._clock() + self._ttl

    def get(self, key, default=None):
        """The value of a key, or the default."""
        if key in self._ends and self._clock() > self._ends[key]:
            self.delete(key)
        if key in self._data:
            self._hits += 1
            return self._data[key]
        self._misses += 1
        return default

    def peek(self, key, default=None):
        """Like get, but not a use."""
        return self._data.get(key, default)

    def __contains__(self, key):
        return key in self._data

    def delete(self, key):
        """Remove a key."""
        self._ends.pop(key, None)
        if key in self._data:
            del self._data[key]
            return True
        return False

    def clear(self):
        """Remove everything."""
        self._data.clear()
        self._ends.clear()

    def __len__(self):
        return len(self._data)

    def keys(self):
        """All keys."""
        # TODO: order of use
        return list(self._data)

    def get_or_load(self, key, load):
        """The value of a key, loaded if it is not there."""
        raise NotImplementedError

    def stats(self):
        """Hits and misses."""
        # TODO: evictions, expirations
        return {"hits": self._hits, "misses": self._misses}
