"""The limiter."""

from __future__ import annotations

import time
from collections.abc import Hashable

from turnstile import validation
from turnstile.bucket import Bucket, Grant
from turnstile.policy import OverridablePolicy
from turnstile.protocols import Clock, Sleep
from turnstile.registry import Registry


class RateLimiter:
    """Lets each key have so many units in use, each for one period."""

    def __init__(self, limit: int, period: float, clock: Clock = time.monotonic, sleep: Sleep = time.sleep) -> None:
        """Make a limiter that nobody has used."""
        self._policy = OverridablePolicy(validation.whole("limit", limit))
        self._period = validation.span("period", period)
        self._clock = clock
        self._sleep = sleep
        self._registry = Registry()

    def try_acquire(self, key: Hashable, cost: int = 1) -> bool:
        """Take the units if they are free; whether they were."""
        self._check_cost(key, cost)
        return self._attempt(key, cost)[0] == 0

    def acquire(self, key: Hashable, cost: int = 1, timeout: float | None = None) -> bool:
        """Take the units as soon as they are free; False if that is later than the timeout."""
        self._check_cost(key, cost)
        if timeout is not None:
            validation.seconds("timeout", timeout)
        wait, now = self._attempt(key, cost)
        deadline = None if timeout is None else now + timeout
        while wait > 0:
            if deadline is not None and now + wait > deadline:
                return False
            self._sleep(wait)
            wait, now = self._attempt(key, cost)
        return True

    def available(self, key: Hashable) -> int:
        """How many units of the key are free."""
        bucket = self._registry.find(key)
        limit = self._policy.limit_of(key)
        if bucket is None:
            return limit
        with bucket.lock:
            bucket.expire(self._clock())
            return max(0, limit - bucket.used)

    def retry_after(self, key: Hashable, cost: int = 1) -> float:
        """Seconds until the cost is free if nobody takes anything meanwhile."""
        self._check_cost(key, cost)
        bucket = self._registry.find(key)
        if bucket is None:
            return 0
        with bucket.lock:
            now = self._clock()
            bucket.expire(now)
            return self._wait(bucket, key, cost, now)

    def set_limit(self, key: Hashable, limit: int | None) -> None:
        """Give a key a limit of its own, or with None the common one."""
        if limit is not None:
            validation.whole("limit", limit)
        self._policy.override(key, limit)

    def __len__(self) -> int:
        """How many keys have units in use."""
        count = 0
        for bucket in self._registry.snapshot():
            with bucket.lock:
                bucket.expire(self._clock())
                count += bucket.used > 0
        return count

    def _check_cost(self, key: Hashable, cost: int) -> None:
        if validation.whole("cost", cost) > self._policy.limit_of(key):
            raise ValueError("cost is above the limit of the key")

    def _attempt(self, key: Hashable, cost: int) -> tuple[float, float]:
        """Take the units if they are free; the seconds until they are, and the time."""
        now = self._clock()
        self._registry.sweep(now)
        bucket = self._registry.obtain(key)
        with bucket.lock:
            bucket.expire(now)
            wait = self._wait(bucket, key, cost, now)
        if wait == 0:
            self._admit(bucket, key, cost)
        return wait, now

    def _admit(self, bucket: Bucket, key: Hashable, cost: int) -> None:
        """Put the units in use from now on."""
        with bucket.lock:
            grant = Grant(self._clock() + self._period, cost)
            bucket.add(grant)
        self._registry.note(key, grant.end)

    def _wait(self, bucket: Bucket, key: Hashable, cost: int, now: float) -> float:
        """Seconds until the cost is free; wants the lock of the bucket held."""
        missing = bucket.used + cost - self._policy.limit_of(key)
        return bucket.freed_at(missing) - now if missing > 0 else 0
