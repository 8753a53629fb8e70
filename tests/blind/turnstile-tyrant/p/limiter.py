"""A rate limiter with a sliding window, for any number of keys and threads.

All grants stand in one queue in the order of time. As every grant lasts for one period, that is also the order in
which they end, so tidying up takes them off at the left end and touches nothing else. What a key has in use is kept
as a sum; a key whose sum comes to nothing is forgotten.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

Seconds = int | float


class Grant(NamedTuple):
    """Units that a key has in use, until the clock shows end."""

    end: Seconds
    key: Hashable
    cost: int


def _is_number(value: object, *types: type) -> bool:
    return isinstance(value, types) and not isinstance(value, bool)


def _fair_count(name: str, value: object) -> int:
    """The value if it is an int of 1 or more."""
    if not _is_number(value, int):
        raise TypeError(f"{name} must be an int, not {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be 1 or more, not {value}")
    return value


def _fair_seconds(name: str, value: object, zero: bool) -> Seconds:
    """The value if it is a finite number above 0, or 0 where that is allowed."""
    if not _is_number(value, int, float):
        raise TypeError(f"{name} must be a number, not {value!r}")
    if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise ValueError(f"{name} must be finite and {'not negative' if zero else 'above 0'}, not {value}")
    return value


class RateLimiter:
    """Lets each key have so many units in use at once, each for one period."""

    def __init__(
        self,
        limit: int,
        period: Seconds,
        clock: Callable[[], Seconds] = time.monotonic,
        sleep: Callable[[Seconds], object] = time.sleep,
    ) -> None:
        """Make a limiter that nobody has used."""
        self._limit = _fair_count("limit", limit)
        self._period = _fair_seconds("period", period, zero=False)
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._grants: deque[Grant] = deque()
        self._in_use: dict[Hashable, int] = {}
        self._own_limits: dict[Hashable, int] = {}

    def try_acquire(self, key: Hashable, cost: int = 1) -> bool:
        """Take the units if they are free, and say whether they were."""
        with self._tidy() as now:
            self._check_cost(key, cost)
            return self._take(key, cost, now)

    def acquire(self, key: Hashable, cost: int = 1, timeout: Seconds | None = None) -> bool:
        """Take the units as soon as they are free; False if that is later than timeout seconds from now."""
        if timeout is not None:
            _fair_seconds("timeout", timeout, zero=True)
        deadline = None
        while True:
            with self._tidy() as now:
                self._check_cost(key, cost)
                if self._take(key, cost, now):
                    return True
                free_at = self._free_at(key, cost, now)
            if deadline is None:
                deadline = math.inf if timeout is None else now + timeout
            if free_at > deadline:
                return False
            self._sleep(free_at - now)

    def available(self, key: Hashable) -> int:
        """How many units of the key are free."""
        with self._tidy():
            return max(0, self._free(key))

    def retry_after(self, key: Hashable, cost: int = 1) -> Seconds:
        """Seconds until the units will be free, if nobody takes any."""
        with self._tidy() as now:
            self._check_cost(key, cost)
            return self._free_at(key, cost, now) - now

    def set_limit(self, key: Hashable, limit: int | None) -> None:
        """Give a key a limit of its own, or with None that of all others again."""
        if limit is not None:
            _fair_count("limit", limit)
        with self._lock:
            if limit is None:
                self._own_limits.pop(key, None)
            else:
                self._own_limits[key] = limit

    def __len__(self) -> int:
        """How many keys have units in use."""
        with self._tidy():
            return len(self._in_use)

    # What follows needs the lock, and all but _tidy a tidy state.

    @contextmanager
    def _tidy(self) -> Iterator[Seconds]:
        """Hold the lock, with all grants gone that have ended; gives the time."""
        with self._lock:
            now = self._clock()
            while self._grants and self._grants[0].end <= now:
                self._give_back(self._grants.popleft())
            yield now

    def _give_back(self, grant: Grant) -> None:
        left = self._in_use[grant.key] - grant.cost
        if left:
            self._in_use[grant.key] = left
        else:
            del self._in_use[grant.key]

    def _limit_of(self, key: Hashable) -> int:
        return self._own_limits.get(key, self._limit)

    def _check_cost(self, key: Hashable, cost: object) -> None:
        limit = self._limit_of(key)
        if _fair_count("cost", cost) > limit:
            raise ValueError(f"cost must not be above the limit of {limit}, but is {cost}")

    def _free(self, key: Hashable) -> int:
        """Units of the key that are free; below 0 if a new limit is less than what is in use."""
        return self._limit_of(key) - self._in_use.get(key, 0)

    def _take(self, key: Hashable, cost: int, now: Seconds) -> bool:
        if cost > self._free(key):
            return False
        self._grants.append(Grant(now + self._period, key, cost))
        self._in_use[key] = self._in_use.get(key, 0) + cost
        return True

    def _free_at(self, key: Hashable, cost: int, now: Seconds) -> Seconds:
        """When so many units will be free, if nobody takes any."""
        missing = cost - self._free(key)
        when = now
        grants = iter(self._grants)
        while missing > 0:
            grant = next(grants)
            if grant.key == key:
                missing -= grant.cost
                when = grant.end
        return when
