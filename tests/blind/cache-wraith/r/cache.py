"""A bounded cache: least recently used leaves first, expired entries leave on time."""

import heapq
import math
import time
from collections import OrderedDict
from typing import Any, Callable, NamedTuple

_UNSET = object()
_ABSENT = object()


class _Entry(NamedTuple):
    value: Any
    ends: float | None
    serial: int


def _check_capacity(capacity):
    if isinstance(capacity, bool) or not isinstance(capacity, int):
        raise TypeError(f"capacity must be an int, not {type(capacity).__name__}")
    if capacity < 0:
        raise ValueError(f"capacity must not be negative: {capacity}")
    return capacity


def _check_ttl(ttl):
    if ttl is None:
        return None
    if isinstance(ttl, bool) or not isinstance(ttl, (int, float)):
        raise TypeError(f"ttl must be a number or None, not {type(ttl).__name__}")
    if not 0 < ttl < math.inf:
        raise ValueError(f"ttl must be finite and above 0: {ttl}")
    return ttl


class Cache:
    """Holds up to `capacity` live entries.

    `_entries` is in order of use. `_ends` is a heap of (end, serial, key); an item whose serial is no longer that of
    the key's entry is outdated and skipped when it surfaces.
    """

    def __init__(self, capacity: int, ttl: float | None = None, clock: Callable[[], float] = time.monotonic):
        """An empty cache; `ttl` is the life of entries that are put without one of their own."""
        self._capacity = _check_capacity(capacity)
        self._ttl = _check_ttl(ttl)
        self._clock = clock
        self._entries: OrderedDict[Any, _Entry] = OrderedDict()
        self._ends: list[tuple[float, int, Any]] = []
        self._serial = 0
        self._hits = self._misses = self._evictions = self._expirations = 0

    def put(self, key, value, *, ttl=_UNSET):
        """Store a value as the last used entry, evicting the least recently used live one if all places are taken."""
        life = self._ttl if ttl is _UNSET else _check_ttl(ttl)
        if self._capacity == 0:
            return
        now = self._bury()
        if key not in self._entries and len(self._entries) >= self._capacity:
            self._entries.popitem(last=False)
            self._evictions += 1
        self._serial += 1
        ends = None if life is None else now + life
        self._entries[key] = _Entry(value, ends, self._serial)
        self._entries.move_to_end(key)
        if ends is not None:
            heapq.heappush(self._ends, (ends, self._serial, key))

    def get(self, key, default=None):
        """The value of a live entry, which is thereby used and counted; otherwise the default."""
        value = self._use(key)
        return default if value is _ABSENT else value

    def peek(self, key, default=None):
        """Like get, but neither a use nor counted."""
        value = self._look(key)
        return default if value is _ABSENT else value

    def __contains__(self, key):
        """Whether a live entry has that key."""
        return self._look(key) is not _ABSENT

    def get_or_load(self, key, load):
        """Like get, but a missing value is loaded and put. A load that raises leaves only the counted miss."""
        value = self._use(key)
        if value is _ABSENT:
            value = load(key)
            self.put(key, value)
        return value

    def delete(self, key):
        """Remove a live entry; whether there was one."""
        self._bury()
        return self._entries.pop(key, None) is not None

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
        """Keys of the live entries, the least recently used first."""
        self._bury()
        return list(self._entries)

    def stats(self):
        """Counts since the cache was made, in a dict of the caller's own."""
        self._bury()
        return {
            "hits": self._hits,
            "misses": self._misses,
            "evictions": self._evictions,
            "expirations": self._expirations,
        }

    def _look(self, key):
        self._bury()
        entry = self._entries.get(key)
        return _ABSENT if entry is None else entry.value

    def _use(self, key):
        value = self._look(key)
        if value is _ABSENT:
            self._misses += 1
        else:
            self._hits += 1
            self._entries.move_to_end(key)
        return value

    def _bury(self):
        """Remove and count what has expired; return the time that was looked at."""
        now = self._clock()
        while self._ends and self._ends[0][0] <= now:
            _, serial, key = heapq.heappop(self._ends)
            entry = self._entries.get(key)
            if entry is not None and entry.serial == serial:
                del self._entries[key]
                self._expirations += 1
        return now
