"""A cache on a plain dict: Python's dicts remember the order in which keys came in."""

import math
import time
from typing import Any, NamedTuple

_MISSING: Any = object()


class Entry(NamedTuple):
    """A value, and the time from which on it is gone."""

    value: Any
    end: float


class Cache:
    """Least recently used first in the dict; whoever is used goes out and comes in again."""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if type(capacity) is not int:
            raise TypeError("capacity must be an int")
        if capacity < 0:
            raise ValueError("capacity must not be negative")
        self._capacity = capacity
        self._life = life_of(ttl)
        self._clock = clock
        self._entries = {}
        self._hits = self._misses = self._evictions = self._expirations = 0

    def put(self, key, value, *, ttl=_MISSING):
        """Store a value."""
        life = self._life if ttl is _MISSING else life_of(ttl)
        known = self._look(key) is not None
        if self._capacity == 0:
            return
        if known:
            del self._entries[key]
        elif len(self._entries) >= self._capacity:
            del self._entries[next(iter(self._entries))]
            self._evictions += 1
        self._entries[key] = Entry(value, self._clock() + life)

    def get(self, key, default=None):
        """A value, which is now the last used."""
        entry = self._use(key)
        return default if entry is None else entry.value

    def peek(self, key, default=None):
        """A value, without using it."""
        entry = self._look(key)
        return default if entry is None else entry.value

    def get_or_load(self, key, load):
        """A value, loaded if it is not there."""
        entry = self._use(key)
        if entry is None:
            value = load(key)
            self.put(key, value)
            return value
        return entry.value

    def delete(self, key):
        """Remove an entry; whether there was one."""
        if self._look(key) is None:
            return False
        del self._entries[key]
        return True

    def clear(self):
        """Remove all entries."""
        self._entries.clear()

    def keys(self):
        """All keys, the least recently used first."""
        return list(self._entries)

    def stats(self):
        """What happened so far."""
        return {
            "hits": self._hits,
            "misses": self._misses,
            "evictions": self._evictions,
            "expirations": self._expirations,
        }

    def __contains__(self, key):
        return self._look(key) is not None

    def __len__(self):
        return len(self._entries)

    def _look(self, key):
        """The live entry of a key. An expired one is thrown away when somebody looks."""
        entry = self._entries.get(key)
        if entry is None or self._clock() < entry.end:
            return entry
        del self._entries[key]
        self._expirations += 1
        return None

    def _use(self, key):
        entry = self._look(key)
        if entry is None:
            self._misses += 1
            return None
        self._hits += 1
        self._entries[key] = self._entries.pop(key)
        return entry


def life_of(ttl):
    """How long an entry lives; infinity for ever."""
    if ttl is None:
        return math.inf
    if type(ttl) not in (int, float):
        raise TypeError("ttl must be a number or None")
    if not 0 < ttl < math.inf:
        raise ValueError("ttl must be above 0 and finite")
    return ttl
