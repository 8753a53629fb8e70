"""A rate limiter."""

import math
import threading
import time


class RateLimiter:
    """Limits how many units each key gets in a period."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        if not isinstance(limit, int):
            raise TypeError("limit")
        if limit < 1:
            raise ValueError("limit")
        if not isinstance(period, (int, float)):
            raise TypeError("period")
        if not math.isfinite(period) or period <= 0:
            raise ValueError("period")
        self.limit = limit
        self.period = period
        self.clock = clock
        self.sleep = sleep
        self.lock = threading.Lock()
        self.taken = {}
        self.limits = {}

    def clean(self):
        """Forget what has ended. The lock must be held."""
        now = self.clock()
        for key in list(self.taken):
            grants = self.taken[key]
            while grants and grants[0][0] + self.period <= now:
                grants.pop(0)
            if not grants:
                del self.taken[key]
        return now

    def check(self, key, cost):
        if not isinstance(cost, int):
            raise TypeError("cost")
        if cost < 1 or cost > self.limits.get(key, self.limit):
            raise ValueError("cost")

    def try_acquire(self, key, cost=1):
        """Take the units if they are free."""
        self.check(key, cost)
        with self.lock:
            now = self.clean()
            used = sum(c for _, c in self.taken.get(key, ()))
            if used + cost > self.limits.get(key, self.limit):
                return False
            self.taken.setdefault(key, []).append((now, cost))
            return True

    def acquire(self, key, cost=1, timeout=None):
        """Take the units, waiting for them."""
        if timeout is not None:
            if not isinstance(timeout, (int, float)):
                raise TypeError("timeout")
            if not math.isfinite(timeout) or timeout < 0:
                raise ValueError("timeout")
        if self.try_acquire(key, cost):
            return True
        wait = self.retry_after(key, cost)
        if timeout is not None and wait > timeout:
            return False
        self.sleep(wait)
        with self.lock:
            now = self.clean()
            self.taken.setdefault(key, []).append((now, cost))
        return True

    def available(self, key):
        """How many units are free."""
        with self.lock:
            self.clean()
            used = sum(c for _, c in self.taken.get(key, ()))
            return self.limits.get(key, self.limit) - used

    def retry_after(self, key, cost=1):
        """Seconds until the units are free."""
        self.check(key, cost)
        with self.lock:
            now = self.clean()
            grants = self.taken.get(key, ())
            free = self.limits.get(key, self.limit) - sum(c for _, c in grants)
            if free >= cost:
                return 0
            for t, c in grants:
                free += c
                if free >= cost:
                    return t + self.period - now

    def set_limit(self, key, limit):
        """Set the limit of a key."""
        if limit is None:
            self.limits.pop(key, None)
            return
        if not isinstance(limit, int):
            raise TypeError("limit")
        if limit < 1:
            raise ValueError("limit")
        self.limits[key] = limit

    def __len__(self):
        with self.lock:
            self.clean()
            return len(self.taken)
