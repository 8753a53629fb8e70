"""A cache of fixed capacity: the least recently used entry makes room, an expired one is gone."""

import heapq
import math
import time
from collections import OrderedDict
from itertools import count
from typing import Any, NamedTuple

_NOT_GIVEN = object()


class _Entry(NamedTuple):
    value: Any
    serial: int  # tells this entry from earlier ones under the same key


class Cache:
    """Holds up to `capacity` entries, each for its time by `clock`."""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        """Make an empty cache; ttl is the life of entries whose put names none."""
        self._capacity = _checked_capacity(capacity)
        self._ttl = _checked_ttl(ttl)
        self._clock = clock
        self._serials = count()
        self._entries = OrderedDict()  # key -> _Entry, the least recently used first
        self._ends = []  # heap of (end, serial, key); outdated items are skipped when they surface
        self._stats = {"hits": 0, "misses": 0, "evictions": 0, "expirations": 0}

    def put(self, key, value, *, ttl=_NOT_GIVEN):
        """Store a value; with all places taken the least recently used entry is evicted."""
        life = self._ttl if ttl is _NOT_GIVEN else _checked_ttl(ttl)
        hash(key)
        now = self._bury()
        if self._capacity == 0:
            return
        if key not in self._entries and len(self._entries) == self._capacity:
            self._entries.popitem(last=False)
            self._stats["evictions"] += 1
        entry = _Entry(value, next(self._serials))
        self._entries[key] = entry
        self._entries.move_to_end(key)
        if life is not None:
            heapq.heappush(self._ends, (now + life, entry.serial, key))

    def get(self, key, default=None):
        """The value of a live entry, which is thereby used, or the default."""
        entry = self._use(key)
        return default if entry is None else entry.value

    def peek(self, key, default=None):
        """Like get, but neither a use nor counted."""
        entry = self._find(key)
        return default if entry is None else entry.value

    def __contains__(self, key):
        """Whether a live entry has the key."""
        return self._find(key) is not None

    def get_or_load(self, key, load):
        """The value of a live entry, or what load(key) returns, which is stored."""
        entry = self._use(key)
        if entry is not None:
            return entry.value
        value = load(key)
        self.put(key, value)
        return value

    def delete(self, key):
        """Remove a live entry; True if there was one."""
        if self._find(key) is None:
            return False
        del self._entries[key]
        return True

    def clear(self):
        """Remove all entries; the counts stay."""
        self._bury()
        self._entries.clear()
        self._ends.clear()

    def __len__(self):
        """The number of live entries."""
        self._bury()
        return len(self._entries)

    def keys(self):
        """The keys of live entries, the least recently used first."""
        self._bury()
        return list(self._entries)

    def stats(self):
        """A copy of the counts."""
        self._bury()
        return dict(self._stats)

    def _find(self, key):
        self._bury()
        return self._entries.get(key)

    def _use(self, key):
        entry = self._find(key)
        if entry is None:
            self._stats["misses"] += 1
        else:
            self._stats["hits"] += 1
            self._entries.move_to_end(key)
        return entry

    def _bury(self):
        """Remove and count what has expired by now; returns now."""
        now = self._clock()
        while self._ends and self._ends[0][0] <= now:
            _, serial, key = heapq.heappop(self._ends)
            entry = self._entries.get(key)
            if entry is not None and entry.serial == serial:
                del self._entries[key]
                self._stats["expirations"] += 1
        return now


def _checked_capacity(capacity):
    if isinstance(capacity, bool) or not isinstance(capacity, int):
        raise TypeError(f"capacity must be an int, not {capacity!r}")
    if capacity < 0:
        raise ValueError(f"capacity must not be negative: {capacity}")
    return capacity


def _checked_ttl(ttl):
    if ttl is None:
        return None
    if isinstance(ttl, bool) or not isinstance(ttl, (int, float)):
        raise TypeError(f"ttl must be a number or None, not {ttl!r}")
    if not 0 < ttl < math.inf:
        raise ValueError(f"ttl must be above zero and finite: {ttl}")
    return ttl
