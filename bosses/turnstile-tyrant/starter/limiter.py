"""A rate limiter: so many units for each key in any span of one period."""

import time


class RateLimiter:
    """Lets each key have so many units in use, each for one period.

    For now it is a gate without a keeper: it counts how many have come in all, and never lets anybody in again.
    """

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """Make a limiter that nobody has used."""
        self._limit = limit
        self._period = period
        self._clock = clock
        self._sleep = sleep
        self._count = 0

    def try_acquire(self, key, cost=1):
        """Take the units if they are free, and return whether they were."""
        self._count += cost
        return self._count <= self._limit
