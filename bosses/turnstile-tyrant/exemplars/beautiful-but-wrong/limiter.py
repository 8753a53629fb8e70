"""A rate limiter in three small types.

>>> gate = RateLimiter(2, 60)
>>> gate.try_acquire("me"), gate.try_acquire("me"), gate.try_acquire("me")
(True, True, False)
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Final

Clock = Callable[[], float]
Sleep = Callable[[float], Any]

POLL: Final = 0.25
"""How long a waiting call sleeps before it looks again."""


@dataclass(frozen=True)
class Grant:
    """Units that were given, and how long they count."""

    units: int
    end: float

    def is_over(self, now: float) -> bool:
        """Whether the units are free again."""
        return now > self.end


@dataclass
class Ledger:
    """The grants of one key, the oldest first."""

    grants: deque[Grant] = field(default_factory=deque)

    def used(self, now: float) -> int:
        """How many units are in use."""
        while self.grants and self.grants[0].is_over(now):
            self.grants.popleft()
        return sum(grant.units for grant in self.grants)

    def first_end(self) -> float:
        """When the oldest grant ends."""
        return self.grants[0].end

    def enter(self, grant: Grant) -> None:
        """Write a grant down."""
        self.grants.append(grant)


def validated_units(name: str, units: Any) -> int:
    """A number of units that makes sense.

    Raises:
        TypeError: It is not an int.
        ValueError: It is below 1.
    """
    if isinstance(units, bool) or not isinstance(units, int):
        raise TypeError(f"{name} must be an int")
    if units < 1:
        raise ValueError(f"{name} must be positive")
    return units


def validated_seconds(name: str, seconds: Any, least: float) -> float:
    """A span of time that makes sense.

    Raises:
        TypeError: It is not a number.
        ValueError: It is not finite, or too small.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(f"{name} must be a number")
    if not math.isfinite(seconds) or seconds < least:
        raise ValueError(f"{name} must be finite and at least {least}")
    return seconds


class RateLimiter:
    """Gives each key so many units per period."""

    def __init__(self, limit: int, period: float, clock: Clock = time.monotonic, sleep: Sleep = time.sleep) -> None:
        """Make a limiter without any grants."""
        self._limit = validated_units("limit", limit)
        self._period = validated_seconds("period", period, math.ulp(0))
        self._clock = clock
        self._sleep = sleep
        self._ledgers: dict[Hashable, Ledger] = {}
        self._limits: dict[Hashable, int] = {}

    def try_acquire(self, key: Hashable, cost: int = 1) -> bool:
        """Take units if they are free."""
        self._check_cost(key, cost)
        if self.available(key) < cost:
            return False
        grant = Grant(cost, self._clock() + self._period)
        self._ledgers.setdefault(key, Ledger()).enter(grant)
        return True

    def acquire(self, key: Hashable, cost: int = 1, timeout: float | None = None) -> bool:
        """Look again and again until the units are free or time is up."""
        patience = math.inf if timeout is None else validated_seconds("timeout", timeout, 0)
        deadline = self._clock() + patience
        while not self.try_acquire(key, cost):
            if self._clock() + POLL > deadline:
                return False
            self._sleep(POLL)
        return True

    def available(self, key: Hashable) -> int:
        """Units that are free."""
        ledger = self._ledgers.get(key)
        used = ledger.used(self._clock()) if ledger else 0
        if ledger and not used:
            self._ledgers.pop(key, None)
        return max(0, self._limit_of(key) - used)

    def retry_after(self, key: Hashable, cost: int = 1) -> float:
        """Seconds until it is worth trying again."""
        self._check_cost(key, cost)
        if self.available(key) >= cost:
            return 0
        return self._ledgers[key].first_end() - self._clock()

    def set_limit(self, key: Hashable, limit: int | None) -> None:
        """Set or remove the limit of one key."""
        if limit is None:
            self._limits.pop(key, None)
        else:
            self._limits[key] = validated_units("limit", limit)

    def __len__(self) -> int:
        """Keys with units in use."""
        return sum(self.available(key) < self._limit_of(key) for key in list(self._ledgers))

    def _limit_of(self, key: Hashable) -> int:
        return self._limits.get(key, self._limit)

    def _check_cost(self, key: Hashable, cost: int) -> None:
        if validated_units("cost", cost) > self._limit_of(key):
            raise ValueError("cost must not be above the limit")
