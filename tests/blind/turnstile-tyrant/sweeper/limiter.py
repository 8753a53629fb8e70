"""Rate limiting with one list of grants per key."""
import math
import threading
import time
from dataclasses import dataclass


@dataclass
class Grant:
    at: float
    cost: int


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class RateLimiter:
    """Sliding-window limiter. Thread-safe."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        if not isinstance(limit, int) or isinstance(limit, bool):
            raise TypeError("limit must be an int")
        if limit < 1:
            raise ValueError("limit must be positive")
        if not _is_number(period):
            raise TypeError("period must be a number")
        if period <= 0 or math.isinf(period) or math.isnan(period):
            raise ValueError("period must be positive and finite")
        self.limit = limit
        self.period = period
        self.clock = clock
        self.sleep = sleep
        self.grants = {}
        self.limits = {}
        self.lock = threading.RLock()

    def _sweep(self):
        now = self.clock()
        for key in list(self.grants):
            alive = [g for g in self.grants[key] if g.at + self.period > now]
            if alive:
                self.grants[key] = alive
            else:
                del self.grants[key]
        return now

    def _check_cost(self, key, cost):
        if not isinstance(cost, int) or isinstance(cost, bool):
            raise TypeError("cost must be an int")
        if cost < 1 or cost > self.limits.get(key, self.limit):
            raise ValueError("cost out of range")

    def _free(self, key):
        used = sum(g.cost for g in self.grants.get(key, []))
        return self.limits.get(key, self.limit) - used

    def try_acquire(self, key, cost=1):
        """Take cost units of key if they are free."""
        with self.lock:
            self._check_cost(key, cost)
            now = self._sweep()
            if self._free(key) < cost:
                return False
            self.grants.setdefault(key, []).append(Grant(now, cost))
            return True

    def acquire(self, key, cost=1, timeout=None):
        """Wait until the units are free, at most timeout seconds."""
        if timeout is not None:
            if not _is_number(timeout):
                raise TypeError("timeout must be a number")
            if timeout < 0 or math.isinf(timeout) or math.isnan(timeout):
                raise ValueError("bad timeout")
        start = self.clock()
        while not self.try_acquire(key, cost):
            wait = self.retry_after(key, cost)
            if timeout is not None and self.clock() + wait >= start + timeout:
                return False
            self.sleep(wait)
        return True

    def available(self, key):
        """Free units of key."""
        with self.lock:
            self._sweep()
            return max(0, self._free(key))

    def retry_after(self, key, cost=1):
        """Seconds until cost units are free."""
        with self.lock:
            self._check_cost(key, cost)
            now = self._sweep()
            free = self._free(key)
            if free >= cost:
                return 0
            for grant in self.grants[key]:
                free += grant.cost
                if free >= cost:
                    return grant.at + self.period - now
            return self.period

    def set_limit(self, key, limit):
        """Own limit for a key; None takes it away."""
        if limit is None:
            self.limits.pop(key, None)
            return
        if not isinstance(limit, int) or isinstance(limit, bool):
            raise TypeError("limit must be an int or None")
        if limit < 1:
            raise ValueError("limit must be positive")
        with self.lock:
            self.limits[key] = limit

    def __len__(self):
        with self.lock:
            self._sweep()
            return len(self.grants)
