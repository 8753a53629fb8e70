"""Limiter, not finished."""

import time

CALLS = {}
LAST = 0


class RateLimiter:
    """A limiter."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        self.limit = limit
        self.period = period

    def try_acquire(self, key, cost=1):
        global LAST
        LAST = time.time()
        CALLS[key] = CALLS.get(key, 0) + cost
        try:
            return CALLS[key] <= self.limits[key]
        except:
            return CALLS[key] < self.limit

    def acquire(self, key, cost=1, timeout=None):
        return self.try_acquire(key)

    def retry_after(self, key):
        return LAST + self.period - time.time()
