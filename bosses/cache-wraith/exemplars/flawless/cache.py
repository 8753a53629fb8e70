"""A cache with a fixed number of places, in which every entry has an end."""

import heapq
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

_NOT_GIVEN: Any = object()
_SLACK = 32


@dataclass(frozen=True, slots=True)
class _Entry:
    value: Any
    serial: int


class Cache:
    """Holds at most ``capacity`` entries; the least recently used one makes room.

    Two structures know about each entry: an ordered dict of entries in order of use, and a heap of ends. Every
    method begins by taking the dead out, so that afterwards everything in the dict is live.
    """

    def __init__(
        self, capacity: int, ttl: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Make an empty cache.

        Raises:
            TypeError: The capacity is not an int, or the ttl neither a number nor None.
            ValueError: The capacity is negative, or the ttl not finite and above 0.
        """
        self._capacity = _checked_capacity(capacity)
        self._ttl = _checked_ttl(ttl)
        self._clock = clock
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._ends: list[tuple[float, int, Hashable]] = []
        self._serial = 0
        self._counts = {"hits": 0, "misses": 0, "evictions": 0, "expirations": 0}

    def put(self, key: Hashable, value: Any, *, ttl: float | None = _NOT_GIVEN) -> None:
        """Store a value; without a ttl it lives as long as the cache's entries do.

        Raises:
            TypeError: The key can't be hashed, or the ttl is neither a number nor None.
            ValueError: The ttl is not finite and above 0.
        """
        life = self._ttl if ttl is _NOT_GIVEN else _checked_ttl(ttl)
        hash(key)
        now = self._bury_the_dead()
        if self._capacity == 0:
            return
        if key not in self._entries:
            self._make_room()
        self._serial += 1
        self._entries[key] = _Entry(value, self._serial)
        self._entries.move_to_end(key)
        if life is not None:
            heapq.heappush(self._ends, (now + life, self._serial, key))

    def get(self, key: Hashable, default: Any = None) -> Any:
        """The live value of a key, which is thereby used; the default if there is none."""
        entry = self._use(key)
        return default if entry is None else entry.value

    def peek(self, key: Hashable, default: Any = None) -> Any:
        """The live value of a key, left as old as it was."""
        self._bury_the_dead()
        entry = self._entries.get(key)
        return default if entry is None else entry.value

    def get_or_load(self, key: Hashable, load: Callable[[Any], Any]) -> Any:
        """The live value of a key, or what ``load(key)`` returns, which is then stored."""
        entry = self._use(key)
        if entry is not None:
            return entry.value
        value = load(key)
        self.put(key, value)
        return value

    def delete(self, key: Hashable) -> bool:
        """Remove a live entry; whether there was one."""
        self._bury_the_dead()
        return self._entries.pop(key, None) is not None

    def clear(self) -> None:
        """Remove all entries and keep the counts."""
        self._bury_the_dead()
        self._entries.clear()
        self._ends.clear()

    def keys(self) -> list[Hashable]:
        """The keys of live entries, the least recently used first."""
        self._bury_the_dead()
        return list(self._entries)

    def stats(self) -> dict[str, int]:
        """Hits, misses, evictions and expirations since the cache was made."""
        self._bury_the_dead()
        return dict(self._counts)

    def __contains__(self, key: Hashable) -> bool:
        """Whether a live entry has this key."""
        self._bury_the_dead()
        return key in self._entries

    def __len__(self) -> int:
        """How many live entries there are."""
        self._bury_the_dead()
        return len(self._entries)

    def _use(self, key: Hashable) -> _Entry | None:
        """Find an entry for a caller who needs it, and count whether that worked."""
        self._bury_the_dead()
        entry = self._entries.get(key)
        if entry is None:
            self._counts["misses"] += 1
            return None
        self._counts["hits"] += 1
        self._entries.move_to_end(key)
        return entry

    def _make_room(self) -> None:
        if len(self._entries) >= self._capacity:
            self._entries.popitem(last=False)
            self._counts["evictions"] += 1

    def _bury_the_dead(self) -> float:
        """Remove what has expired, and tell the time it was done at.

        An end whose serial is not that of the entry belongs to one that was overwritten or removed before.
        """
        now = self._clock()
        while self._ends and self._ends[0][0] <= now:
            _, serial, key = heapq.heappop(self._ends)
            if self._is_current(key, serial):
                del self._entries[key]
                self._counts["expirations"] += 1
        if len(self._ends) > 2 * len(self._entries) + _SLACK:
            self._ends = [end for end in self._ends if self._is_current(end[2], end[1])]
            heapq.heapify(self._ends)
        return now

    def _is_current(self, key: Hashable, serial: int) -> bool:
        entry = self._entries.get(key)
        return entry is not None and entry.serial == serial


def _checked_capacity(capacity: Any) -> int:
    if isinstance(capacity, bool) or not isinstance(capacity, int):
        raise TypeError(f"capacity must be an int, not {capacity!r}")
    if capacity < 0:
        raise ValueError(f"capacity must be 0 or more, not {capacity}")
    return capacity


def _checked_ttl(ttl: Any) -> float | None:
    if ttl is None:
        return None
    if isinstance(ttl, bool) or not isinstance(ttl, int | float):
        raise TypeError(f"ttl must be a number or None, not {ttl!r}")
    if not (math.isfinite(ttl) and ttl > 0):
        raise ValueError(f"ttl must be finite and above 0, not {ttl}")
    return ttl
