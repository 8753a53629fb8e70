"""A cache in three small parts: a policy for lives, an order of use, and the cache that joins them.

    >>> cache = Cache(2, ttl=30)
    >>> cache.put("a", 1)
    >>> cache.get("a")
    1
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

Clock = Callable[[], float]
T = TypeVar("T")


class _Marker:
    """Stands for something that was not given."""


NOT_GIVEN: Final[Any] = _Marker()


@dataclass
class Life:
    """How long something lives, and since when. Being used keeps it alive."""

    span: float | None
    since: float

    def renew(self, now: float) -> None:
        """Begin again from now."""
        self.since = now

    def is_over(self, now: float) -> bool:
        """Whether the span has run out."""
        return self.span is not None and now - self.since >= self.span


@dataclass
class Entry:
    """A value and its life."""

    value: Any
    life: Life


@dataclass
class Tally:
    """What happened to entries so far."""

    hits: int = 0
    misses: int = 0
    evictions: int = 0
    expirations: int = 0

    def as_dict(self) -> dict[str, int]:
        """A copy for the caller."""
        return dict(vars(self))


def validated_capacity(capacity: Any) -> int:
    """A capacity that makes sense.

    Raises:
        TypeError: It is not an int.
        ValueError: It is negative.
    """
    if isinstance(capacity, bool) or not isinstance(capacity, int):
        raise TypeError("capacity must be an int")
    if capacity < 0:
        raise ValueError("capacity must not be negative")
    return capacity


def validated_span(span: Any) -> float | None:
    """A span of life that makes sense; None is for ever.

    Raises:
        TypeError: It is not a number.
        ValueError: It is not finite and positive.
    """
    if span is None:
        return None
    if isinstance(span, bool) or not isinstance(span, int | float):
        raise TypeError("ttl must be a number or None")
    if not math.isfinite(span) or span <= 0:
        raise ValueError("ttl must be finite and positive")
    return span


@dataclass
class Shelf:
    """Entries in order of use, the least recently used first."""

    places: int
    entries: OrderedDict[Hashable, Entry] = field(default_factory=OrderedDict)

    def is_full(self) -> bool:
        """Whether a new entry needs room."""
        return len(self.entries) >= self.places

    def touch(self, key: Hashable) -> None:
        """Move an entry to the front of the shelf, where it is safe."""
        self.entries.move_to_end(key)

    def drop_one(self) -> None:
        """Take the next entry off the shelf."""
        self.entries.popitem()


class Cache:
    """Keeps what is used and lets the rest go."""

    def __init__(self, capacity: int, ttl: float | None = None, clock: Clock = time.monotonic) -> None:
        """Make an empty cache."""
        self._shelf = Shelf(validated_capacity(capacity))
        self._span = validated_span(ttl)
        self._clock = clock
        self._tally = Tally()

    def put(self, key: Hashable, value: Any, *, ttl: float | None = NOT_GIVEN) -> None:
        """Store a value for its span of life."""
        span = self._span if ttl is NOT_GIVEN else validated_span(ttl)
        known = self._live(key) is not None
        if not known and self._shelf.is_full():
            if not self._shelf.places:
                return
            self._shelf.drop_one()
            self._tally.evictions += 1
        self._shelf.entries[key] = Entry(value, Life(span, self._clock()))
        self._shelf.touch(key)

    def get(self, key: Hashable, default: T | None = None) -> Any | T:
        """Use a value."""
        entry = self._used(key)
        return default if entry is None else entry.value

    def peek(self, key: Hashable, default: T | None = None) -> Any | T:
        """Look at a value without using it."""
        entry = self._live(key)
        return default if entry is None else entry.value

    def get_or_load(self, key: Hashable, load: Callable[[Any], T]) -> T:
        """Use a value, or load it first."""
        entry = self._used(key)
        if entry is not None:
            return entry.value
        value = load(key)
        self.put(key, value)
        return value

    def delete(self, key: Hashable) -> bool:
        """Remove one entry."""
        if self._live(key) is None:
            return False
        del self._shelf.entries[key]
        return True

    def clear(self) -> None:
        """Remove all entries."""
        self._shelf.entries.clear()

    def keys(self) -> list[Hashable]:
        """Keys in order of use."""
        return [key for key in list(self._shelf.entries) if self._live(key) is not None]

    def stats(self) -> dict[str, int]:
        """Counts so far."""
        self.keys()
        return self._tally.as_dict()

    def __contains__(self, key: Hashable) -> bool:
        """Whether a live entry has this key."""
        return self._live(key) is not None

    def __len__(self) -> int:
        """The number of live entries."""
        return len(self.keys())

    def _live(self, key: Hashable) -> Entry | None:
        entry = self._shelf.entries.get(key)
        if entry is not None and entry.life.is_over(self._clock()):
            del self._shelf.entries[key]
            self._tally.expirations += 1
            return None
        return entry

    def _used(self, key: Hashable) -> Entry | None:
        entry = self._live(key)
        if entry is None:
            self._tally.misses += 1
            return None
        self._tally.hits += 1
        self._shelf.touch(key)
        entry.life.renew(self._clock())
        return entry
