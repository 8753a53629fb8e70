"""The cache itself: it puts the parts together and keeps the values."""

import time
from collections.abc import Callable, Hashable
from typing import Any

from coldstore.checks import check_capacity, check_key, check_ttl
from coldstore.interfaces import Clock, EvictionPolicy, ExpirySchedule
from coldstore.policies import HeapSchedule, LeastRecentlyUsed
from coldstore.statistics import Statistics

_OWN_TTL: Any = object()
_ABSENT: Any = object()


class Cache:
    """A cache with a fixed number of places and mortal entries."""

    def __init__(self, capacity: int, ttl: float | None = None, clock: Clock = time.monotonic):
        """Make an empty cache."""
        self._capacity = check_capacity(capacity)
        self._ttl = check_ttl(ttl)
        self._clock = clock
        self._statistics = Statistics()
        self._reset()

    def put(self, key: Hashable, value: Any, *, ttl: float | None = _OWN_TTL) -> None:
        """Store a value, as the last used, for its life."""
        life = self._ttl if ttl is _OWN_TTL else check_ttl(ttl)
        check_key(key)
        self._store(key, value, life, self._now())

    def get(self, key: Hashable, default: Any = None) -> Any:
        """The value of a live entry, or the default. A use."""
        value = self._use(check_key(key), self._now())
        return default if value is _ABSENT else value

    def peek(self, key: Hashable, default: Any = None) -> Any:
        """The value of a live entry, or the default. No use."""
        value = self._look(key)
        return default if value is _ABSENT else value

    def __contains__(self, key: Hashable) -> bool:
        """Whether a live entry has that key. No use."""
        return self._look(key) is not _ABSENT

    def get_or_load(self, key: Hashable, load: Callable[[Hashable], Any]) -> Any:
        """The value of a live entry, or what load makes of the key, which is then stored."""
        now = self._now()
        value = self._use(check_key(key), now)
        if value is _ABSENT:
            value = load(key)
            self._store(key, value, self._ttl, now)
        return value

    def delete(self, key: Hashable) -> bool:
        """Remove a live entry; True if there was one."""
        found = key in self
        if found:
            self._remove(key)
        return found

    def clear(self) -> None:
        """Remove all entries."""
        self._now()
        self._reset()

    def __len__(self) -> int:
        """The number of live entries."""
        self._now()
        return len(self._values)

    def keys(self) -> list[Hashable]:
        """Live keys, the least recently used first."""
        self._now()
        return list(self._policy)

    def stats(self) -> dict[str, int]:
        """Counts since the cache was made."""
        self._now()
        return self._statistics.report()

    def _now(self) -> float:
        """The time, after everything that is dead by it has been removed."""
        now = self._clock()
        for key in self._schedule.due(now):
            self._remove(key)
            self._statistics.expirations += 1
        return now

    def _look(self, key: Hashable) -> Any:
        self._now()
        return self._values.get(check_key(key), _ABSENT)

    def _use(self, key: Hashable, now: float) -> Any:
        value = self._values.get(key, _ABSENT)
        if value is _ABSENT:
            self._statistics.misses += 1
        else:
            self._statistics.hits += 1
            self._policy.touch(key)
        return value

    def _store(self, key: Hashable, value: Any, life: float | None, now: float) -> None:
        if not self._capacity:
            return
        if key not in self._values and len(self._values) >= self._capacity:
            self._remove(self._policy.victim())
            self._statistics.evictions += 1
        self._values[key] = value
        self._policy.touch(key)
        self._schedule.cancel(key)
        if life is not None:
            self._schedule.plan(key, now + life)

    def _remove(self, key: Hashable) -> None:
        del self._values[key]
        self._policy.forget(key)
        self._schedule.cancel(key)

    def _reset(self) -> None:
        self._values: dict[Hashable, Any] = {}
        self._policy: EvictionPolicy = LeastRecentlyUsed()
        self._schedule: ExpirySchedule = HeapSchedule()
