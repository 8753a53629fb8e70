"""A rate limiter: so many units for each key in any span of one period."""

import time


class RateLimiter:
    """Lets each key have so many units in use, each for one period."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """Make a limiter that nobody has used."""
        if limit < 1:
            raise ValueError("limit")
        if period <= 0:
            raise ValueError("period")
        self._limit = limit
        self._period = period
        self._clock = clock
        self._sleep = sleep
        self._counts = {}
        self._limits = {}

    def _limit_of(self, key):
        return self._limits.get(key, self._limit)

    def try_acquire(self, key, cost=1):
        """Take the units if they are free; whether they were."""
        if cost < 1 or cost > self._limit_of(key):
            raise ValueError("cost")
        count = self._counts.get(key, 0)
        if count + cost > self._limit_of(key):
            return False
        self._counts[key] = count + cost
        # TODO: remember the time and free them
        return True

    def acquire(self, key, cost=1, timeout=None):
        """Take the units as soon as they are free."""
        if self.try_acquire(key, cost):
            return True
        if timeout == 0:
            return False
        raise NotImplementedError

    def available(self, key):
        """How many units are free."""
        return max(0, self._limit_of(key) - self._counts.get(key, 0))

    def set_limit(self, key, limit):
        """Give a key a limit of its own."""
        if limit is None:
            self._limits.pop(key, None)
        else:
            self._limits[key] = limit

    def __len__(self):
        return len(self._counts)
