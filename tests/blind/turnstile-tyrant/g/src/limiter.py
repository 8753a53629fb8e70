"""Units for keys, so many in any span of one period, with a clock that is handed in."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import NamedTuple

Seconds = int | float


class _Grant(NamedTuple):
    end: Seconds
    key: Hashable
    cost: int


class _Window:
    """Grants and limits. It wants to be told the time by `advance` first, and to be used by one thread at a time."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._own_limits: dict[Hashable, int] = {}
        self._grants: deque[_Grant] = deque()
        self._in_use: dict[Hashable, int] = {}

    def advance(self, now: Seconds) -> None:
        """Free everything whose time is over; amortised, one step for each grant ever made."""
        while self._grants and self._grants[0].end <= now:
            grant = self._grants.popleft()
            left = self._in_use.pop(grant.key) - grant.cost
            if left:
                self._in_use[grant.key] = left

    def limit(self, key: Hashable) -> int:
        """The limit of a key."""
        return self._own_limits.get(key, self._limit)

    def set_limit(self, key: Hashable, limit: int | None) -> None:
        """Give a key a limit of its own, or None."""
        if limit is None:
            self._own_limits.pop(key, None)
        else:
            self._own_limits[key] = limit

    def free(self, key: Hashable) -> int:
        """The limit less what is in use; below 0 if the limit was lowered meanwhile."""
        return self.limit(key) - self._in_use.get(key, 0)

    def take(self, key: Hashable, cost: int, end: Seconds) -> None:
        """Put units in use until an instant, which is not before that of any earlier call."""
        self._grants.append(_Grant(end, key, cost))
        self._in_use[key] = self._in_use.get(key, 0) + cost

    def free_at(self, key: Hashable, cost: int, now: Seconds) -> Seconds:
        """The first instant from now on at which the cost, which the limit allows, is free if nothing is taken."""
        free = self.free(key)
        instant = now
        own = (grant for grant in self._grants if grant.key == key)
        while free < cost:
            grant = next(own)
            free += grant.cost
            instant = grant.end
        return instant

    def __len__(self) -> int:
        return len(self._in_use)


class RateLimiter:
    """Lets each key have `limit` units in use at once, each for `period` seconds.

    All methods may be called by any number of threads. Only `acquire` waits, and nobody waits for it.
    """

    def __init__(
        self,
        limit: int,
        period: Seconds,
        clock: Callable[[], Seconds] = time.monotonic,
        sleep: Callable[[Seconds], object] = time.sleep,
    ) -> None:
        """Make a limiter that nobody has used; TypeError or ValueError if limit or period make no sense."""
        self._period = _check_seconds("period", period)
        if not period:
            raise ValueError("period can't be 0")
        self._window = _Window(_check_units("limit", limit))
        self._clock = clock
        self._sleep = sleep
        self._lock = Lock()

    def try_acquire(self, key: Hashable, cost: int = 1) -> bool:
        """Take the cost if it is free now, and say whether it was."""
        with self._present() as now:
            self._check_cost(key, cost)
            return self._take_or_tell(key, cost, now) <= now

    def acquire(self, key: Hashable, cost: int = 1, timeout: Seconds | None = None) -> bool:
        """Take the cost as soon as it is free; False, and at once, if it can't be within the timeout."""
        if timeout is not None:
            _check_seconds("timeout", timeout)
        with self._present() as now:
            self._check_cost(key, cost)
            free_at = self._take_or_tell(key, cost, now)
        deadline = math.inf if timeout is None else now + timeout
        while free_at > now:
            if free_at > deadline:
                return False
            self._sleep(free_at - now)
            with self._present() as now:
                free_at = self._take_or_tell(key, cost, now)
        return True

    def available(self, key: Hashable) -> int:
        """How many units of the key are free now."""
        with self._present():
            return max(self._window.free(key), 0)

    def retry_after(self, key: Hashable, cost: int = 1) -> Seconds:
        """Seconds until the cost is free, if nobody takes anything meanwhile."""
        with self._present() as now:
            self._check_cost(key, cost)
            return self._window.free_at(key, cost, now) - now

    def set_limit(self, key: Hashable, limit: int | None) -> None:
        """Give the key a limit of its own from now on, or with None the limiter's."""
        if limit is not None:
            _check_units("limit", limit)
        with self._lock:
            self._window.set_limit(key, limit)

    def __len__(self) -> int:
        """How many keys have units in use now."""
        with self._present():
            return len(self._window)

    @contextmanager
    def _present(self) -> Iterator[Seconds]:
        """Hold the lock, with the window at the time that is given out."""
        with self._lock:
            now = self._clock()
            self._window.advance(now)
            yield now

    def _take_or_tell(self, key: Hashable, cost: int, now: Seconds) -> Seconds:
        """Within _present: take the cost and return now, or return when it will be free."""
        if self._window.free(key) < cost:
            return self._window.free_at(key, cost, now)
        self._window.take(key, cost, now + self._period)
        return now

    def _check_cost(self, key: Hashable, cost: int) -> None:
        """Within _present: refuse a cost that the key could never pay."""
        if _check_units("cost", cost) > self._window.limit(key):
            raise ValueError(f"cost is {cost}, and the limit {self._window.limit(key)}")


def _check_units(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, not {value}")
    return value


def _check_seconds(name: str, value: object) -> Seconds:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be an int or a float, not {type(value).__name__}")
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"{name} must be finite and not negative, not {value}")
    return value
