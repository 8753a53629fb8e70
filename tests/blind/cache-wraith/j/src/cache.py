"""A cache with a fixed number of places, whose entries end by an injected clock.

Three parts, each with one job:

_Ring      the order of use, a doubly linked ring of entries
_Calendar  the ends of lives, a heap whose outdated items are dropped
Cache      the rules, on top of both
"""

import heapq
import math
import time

_DEFAULT = object()


class _Entry:
    """A key with its value, the end of its life (or None), and its neighbours in the ring."""

    __slots__ = ("key", "value", "ends", "older", "newer")

    def __init__(self, key=None, value=None, ends=None):
        self.key = key
        self.value = value
        self.ends = ends
        self.older = self.newer = self


class _Ring:
    """Entries from the least to the most recently used; adding and removing take constant time."""

    def __init__(self):
        self._mark = _Entry()

    def append(self, entry):
        """Make the entry the most recently used."""
        entry.older, entry.newer = self._mark.older, self._mark
        entry.older.newer = entry.newer.older = entry

    def remove(self, entry):
        """Take the entry out of the order."""
        entry.older.newer, entry.newer.older = entry.newer, entry.older
        entry.older = entry.newer = entry

    def oldest(self):
        """The least recently used entry; there has to be one."""
        return self._mark.newer

    def __iter__(self):
        entry = self._mark.newer
        while entry is not self._mark:
            yield entry
            entry = entry.newer


class _Calendar:
    """Tells which keys may have expired. It knows keys and times only, so it keeps no value alive."""

    _SLACK = 32

    def __init__(self):
        self._heap = []
        self._tickets = 0

    def note(self, entry):
        """Remember when the entry ends, if it does."""
        if entry.ends is not None:
            self._tickets += 1
            heapq.heappush(self._heap, (entry.ends, self._tickets, entry.key))

    def due(self, now):
        """The keys whose noted end has come, each note once."""
        while self._heap and self._heap[0][0] <= now:
            yield heapq.heappop(self._heap)[2]

    def tidy(self, entries):
        """Start afresh from these entries when most notes must be outdated."""
        if len(self._heap) > 2 * len(entries) + self._SLACK:
            self._heap = []
            for entry in entries.values():
                self.note(entry)


class Cache:
    """The least recently used entry makes room; an expired one is gone."""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        """Make an empty cache of that many places; ttl is the usual life of an entry."""
        self._capacity = _fair_capacity(capacity)
        self._ttl = _fair_ttl(ttl)
        self._clock = clock
        self._stats = dict.fromkeys(("hits", "misses", "evictions", "expirations"), 0)
        self._forget()

    def put(self, key, value, *, ttl=_DEFAULT):
        """Store a value under a key, for ttl or the cache's own life, as the last used."""
        life = self._ttl if ttl is _DEFAULT else _fair_ttl(ttl)
        hash(key)
        now = self._expire()
        if key in self._entries:
            self._remove(key)
        elif self._is_full():
            if not self._capacity:
                return
            self._remove(self._ring.oldest().key)
            self._stats["evictions"] += 1
        self._add(_Entry(key, value, None if life is None else now + life))

    def get(self, key, default=None):
        """The value of the live entry with that key, which is used by this, or the default."""
        entry = self._use(key)
        return entry.value if entry else default

    def peek(self, key, default=None):
        """What get would answer, without use or count."""
        entry = self._look(key)
        return entry.value if entry else default

    def __contains__(self, key):
        """Whether a live entry has that key, without use or count."""
        return self._look(key) is not None

    def get_or_load(self, key, load):
        """What get finds, or else what load(key) returns, stored from then on."""
        entry = self._use(key)
        if entry:
            return entry.value
        value = load(key)
        self.put(key, value)
        return value

    def delete(self, key):
        """Remove the live entry with that key; whether there was one."""
        found = self._look(key) is not None
        if found:
            self._remove(key)
        return found

    def clear(self):
        """Remove all entries, but keep the stats."""
        self._expire()
        self._forget()

    def __len__(self):
        """The number of live entries."""
        self._expire()
        return len(self._entries)

    def keys(self):
        """The keys of all live entries, the least recently used first."""
        self._expire()
        return [entry.key for entry in self._ring]

    def stats(self):
        """The counts of hits, misses, evictions and expirations, as a new dict."""
        self._expire()
        return dict(self._stats)

    def _is_full(self):
        return len(self._entries) >= self._capacity

    def _look(self, key):
        self._expire()
        return self._entries.get(key)

    def _use(self, key):
        entry = self._look(key)
        self._stats["hits" if entry else "misses"] += 1
        if entry:
            self._ring.remove(entry)
            self._ring.append(entry)
        return entry

    def _expire(self):
        """Remove whatever has ended; the time by which that was judged."""
        now = self._clock()
        for key in self._calendar.due(now):
            entry = self._entries.get(key)
            if entry and entry.ends is not None and entry.ends <= now:
                self._remove(key)
                self._stats["expirations"] += 1
        return now

    def _add(self, entry):
        self._entries[entry.key] = entry
        self._ring.append(entry)
        self._calendar.note(entry)
        self._calendar.tidy(self._entries)

    def _remove(self, key):
        self._ring.remove(self._entries.pop(key))

    def _forget(self):
        self._entries = {}
        self._ring = _Ring()
        self._calendar = _Calendar()


def _fair_capacity(capacity):
    """The capacity, if it is one."""
    if type(capacity) is bool or not isinstance(capacity, int):
        raise TypeError("a capacity is an int")
    if capacity < 0:
        raise ValueError("a capacity is not negative")
    return capacity


def _fair_ttl(ttl):
    """The ttl, if it is one."""
    if ttl is None:
        return None
    if type(ttl) is bool or not isinstance(ttl, (int, float)):
        raise TypeError("a ttl is an int, a float or None")
    if not 0 < ttl < math.inf:
        raise ValueError("a ttl is finite and above zero")
    return ttl
