"""A rate limiter: so many units for each key in every sliding window of time, whoever asks, from any thread."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class _Account:
    """What one key has in use: the sum, and each grant as (end, cost), the oldest first."""

    used: int = 0
    grants: deque[tuple[float, int]] = field(default_factory=deque)


class RateLimiter:
    """Lets each key have ``limit`` units in use, each of them for ``period`` seconds.

    All grants stand in one line in the order of their ends, which is the order in which they were given. Every method
    takes the lock and first removes the grants that have ended, so what it sees afterwards is in use. Nobody sleeps
    with the lock in hand.
    """

    def __init__(
        self,
        limit: int,
        period: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Any] = time.sleep,
    ) -> None:
        """Make a limiter that nobody has used.

        Raises:
            TypeError: The limit is not an int, or the period not a number.
            ValueError: The limit is below 1, or the period not finite and above 0.
        """
        self._limit = _checked_units("limit", limit)
        self._period = _checked_seconds("period", period)
        if period == 0:
            raise ValueError("period must be above 0")
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._line: deque[tuple[float, Hashable]] = deque()
        self._accounts: dict[Hashable, _Account] = {}
        self._own_limits: dict[Hashable, int] = {}

    def try_acquire(self, key: Hashable, cost: int = 1) -> bool:
        """Take the units if they are free; whether they were."""
        with self._lock:
            now = self._settle()
            if self._missing(key, cost) > 0:
                return False
            self._take(key, cost, now)
            return True

    def acquire(self, key: Hashable, cost: int = 1, timeout: float | None = None) -> bool:
        """Take the units as soon as they are free; False once they can't be within ``timeout`` seconds."""
        patience = math.inf if timeout is None else _checked_seconds("timeout", timeout)
        deadline: float | None = None
        while True:
            with self._lock:
                now = self._settle()
                wait = self._wait(key, cost, now)
                if wait == 0:
                    self._take(key, cost, now)
                    return True
            if deadline is None:
                deadline = now + patience
            if now + wait > deadline:
                return False
            self._sleep(wait)

    def available(self, key: Hashable) -> int:
        """How many units of the key are free."""
        with self._lock:
            self._settle()
            return max(0, self._limit_of(key) - self._used(key))

    def retry_after(self, key: Hashable, cost: int = 1) -> float:
        """Seconds until so many units will be free; 0 if they are."""
        with self._lock:
            return self._wait(key, cost, self._settle())

    def set_limit(self, key: Hashable, limit: int | None) -> None:
        """Give the key a limit of its own from now on; None takes it away."""
        hash(key)
        with self._lock:
            if limit is None:
                self._own_limits.pop(key, None)
            else:
                self._own_limits[key] = _checked_units("limit", limit)

    def __len__(self) -> int:
        """How many keys have units in use."""
        with self._lock:
            self._settle()
            return len(self._accounts)

    def _settle(self) -> float:
        """Free what has ended by now, forget who has nothing left, and tell the time it was done at."""
        now = self._clock()
        while self._line and self._line[0][0] <= now:
            _, key = self._line.popleft()
            account = self._accounts[key]
            account.used -= account.grants.popleft()[1]
            if not account.grants:
                del self._accounts[key]
        return now

    def _take(self, key: Hashable, cost: int, now: float) -> None:
        account = self._accounts.setdefault(key, _Account())
        account.used += cost
        account.grants.append((now + self._period, cost))
        self._line.append((now + self._period, key))

    def _missing(self, key: Hashable, cost: int) -> int:
        """How many units the call lacks; 0 or less if none."""
        limit = self._limit_of(key)
        if _checked_units("cost", cost) > limit:
            raise ValueError(f"a cost of {cost} can never be let through by a limit of {limit}")
        return cost - (limit - self._used(key))

    def _wait(self, key: Hashable, cost: int, now: float) -> float:
        """How long until the cost is free. Looks no further along the grants than it must."""
        missing = self._missing(key, cost)
        wait: float = 0
        for end, freed in self._grants(key):
            if missing <= 0:
                break
            missing -= freed
            wait = end - now
        return wait

    def _limit_of(self, key: Hashable) -> int:
        return self._own_limits.get(key, self._limit)

    def _used(self, key: Hashable) -> int:
        account = self._accounts.get(key)
        return 0 if account is None else account.used

    def _grants(self, key: Hashable) -> Iterable[tuple[float, int]]:
        account = self._accounts.get(key)
        return () if account is None else account.grants


def _checked_units(name: str, units: Any) -> int:
    if isinstance(units, bool) or not isinstance(units, int):
        raise TypeError(f"{name} must be an int, not {units!r}")
    if units < 1:
        raise ValueError(f"{name} must be 1 or more, not {units}")
    return units


def _checked_seconds(name: str, seconds: Any) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(f"{name} must be a number of seconds, not {seconds!r}")
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(f"{name} must be finite and not negative, not {seconds}")
    return seconds
