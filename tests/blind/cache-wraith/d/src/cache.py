"""A bounded cache whose entries are used, grow old and leave.

The rules stand in one place each: Entry.is_live for life, Cache._find for what can be found, Cache._make_room for
who leaves, Lifespans for whose time has come, check_capacity and check_ttl for what is refused.
"""

from __future__ import annotations

import heapq
import math
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Hashable, Iterator

KEEP: Any = object()  # "no ttl was given"


@dataclass(slots=True, eq=False)
class Entry:
    """A stored value, how long it was given, and when that is over."""

    key: Hashable
    value: Any
    life: float | None
    stored: float

    @property
    def ends(self) -> float | None:
        """The instant at which it is dead, or None."""
        return None if self.life is None else self.stored + self.life

    def is_live(self, now: float) -> bool:
        """Whether it can be found at this time."""
        return self.ends is None or now < self.ends


@dataclass(slots=True)
class Lifespans:
    """Tells which keys deserve a look because an end was noted for them."""

    _heap: list[tuple[float, int, Hashable]] = field(default_factory=list)
    _noted: int = 0

    def note(self, entry: Entry) -> None:
        """Remember the end of an entry that has one."""
        if entry.ends is not None:
            self._noted += 1
            heapq.heappush(self._heap, (entry.ends, self._noted, entry.key))

    def reached(self, now: float) -> Iterator[Hashable]:
        """Take out the keys whose noted end has come."""
        while self._heap and self._heap[0][0] <= now:
            yield heapq.heappop(self._heap)[-1]


class Cache:
    """The least recently used entry makes room; an expired one is gone."""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        """Make an empty cache. Entries live for ttl unless they are given a life of their own."""
        self._capacity = check_capacity(capacity)
        self._ttl = check_ttl(ttl)
        self._clock = clock
        self._entries: OrderedDict[Hashable, Entry] = OrderedDict()
        self._lifespans = Lifespans()
        self._stats = {"hits": 0, "misses": 0, "evictions": 0, "expirations": 0}

    def put(self, key, value, *, ttl=KEEP):
        """Store a value. An entry that has a life of its own keeps it until it is given another one."""
        if ttl is not KEEP:
            check_ttl(ttl)
        known = self._find(key)
        if self._capacity == 0:
            return
        if known is None:
            self._make_room()
        entry = Entry(key, value, self._life(known, ttl), self._clock())
        self._entries[key] = entry
        self._entries.move_to_end(key)
        self._lifespans.note(entry)

    def get(self, key, default=None):
        """The value of a live entry, which becomes the last used, or the default."""
        entry = self._use(key)
        return default if entry is None else entry.value

    def peek(self, key, default=None):
        """The value of a live entry, or the default; leaves no trace."""
        entry = self._find(key)
        return default if entry is None else entry.value

    def __contains__(self, key):
        """Whether a live entry has the key; leaves no trace."""
        return self._find(key) is not None

    def get_or_load(self, key, load):
        """The value of a live entry; otherwise load(key), which is stored when it has returned."""
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
        """Remove everything; the counts go on."""
        self._expire()
        self._entries.clear()
        self._lifespans = Lifespans()

    def __len__(self):
        """The number of live entries."""
        self._expire()
        return len(self._entries)

    def keys(self):
        """Live keys, the least recently used first."""
        self._expire()
        return list(self._entries)

    def stats(self):
        """The counts, as a dict of the caller's own."""
        self._expire()
        return dict(self._stats)

    def _find(self, key):
        self._expire()
        return self._entries.get(key)

    def _use(self, key):
        entry = self._find(key)
        self._stats["misses" if entry is None else "hits"] += 1
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    def _life(self, known, ttl):
        if ttl is not KEEP:
            return ttl
        return self._ttl if known is None else known.life

    def _make_room(self):
        if len(self._entries) >= self._capacity:
            self._entries.popitem(last=False)
            self._stats["evictions"] += 1

    def _expire(self):
        now = self._clock()
        for key in self._lifespans.reached(now):
            entry = self._entries.get(key)
            if entry is not None and not entry.is_live(now):
                del self._entries[key]
                self._stats["expirations"] += 1


def check_capacity(capacity):
    """Return a good capacity, refuse a bad one."""
    if isinstance(capacity, bool) or not isinstance(capacity, int):
        raise TypeError("capacity must be an int")
    if capacity < 0:
        raise ValueError("capacity must not be negative")
    return capacity


def check_ttl(ttl):
    """Return a good ttl, refuse a bad one."""
    if ttl is None:
        return None
    if isinstance(ttl, bool) or not isinstance(ttl, (int, float)):
        raise TypeError("ttl must be a number or None")
    if not 0 < ttl < math.inf:
        raise ValueError("ttl must be finite and above 0")
    return ttl
