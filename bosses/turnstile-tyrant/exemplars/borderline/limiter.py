"""Rate limiting with a log of timestamps per key."""

import threading
import time
from collections import defaultdict


class RateLimiter:
    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        if limit < 1:
            raise ValueError("limit must be at least 1")
        if period <= 0:
            raise ValueError("period must be positive")
        self.limit = limit
        self.period = period
        self.clock = clock
        self.sleep = sleep
        self.logs = defaultdict(list)
        self.limits = {}
        self.lock = threading.Lock()

    def _clean(self, key):
        now = self.clock()
        self.logs[key] = [t for t in self.logs[key] if t + self.period > now]
        return now

    def _try(self, key, cost):
        limit = self.limits.get(key, self.limit)
        if cost < 1 or cost > limit:
            raise ValueError("impossible cost")
        now = self._clean(key)
        if len(self.logs[key]) + cost <= limit:
            self.logs[key] += [now] * cost
            return True
        return False

    def try_acquire(self, key, cost=1):
        with self.lock:
            return self._try(key, cost)

    def acquire(self, key, cost=1, timeout=None):
        with self.lock:
            start = self.clock()
            while not self._try(key, cost):
                wait = self.logs[key][0] + self.period - self.clock()
                if timeout is not None and self.clock() + wait > start + timeout:
                    return False
                self.sleep(wait)
            return True

    def available(self, key):
        with self.lock:
            self._clean(key)
            return max(0, self.limits.get(key, self.limit) - len(self.logs[key]))

    def retry_after(self, key, cost=1):
        with self.lock:
            now = self._clean(key)
            log = self.logs[key]
            limit = self.limits.get(key, self.limit)
            if len(log) + cost <= limit:
                return 0
            return log[len(log) + cost - limit - 1] + self.period - now

    def set_limit(self, key, limit):
        with self.lock:
            if limit is None:
                self.limits.pop(key, None)
            else:
                self.limits[key] = limit

    def __len__(self):
        with self.lock:
            for key in list(self.logs):
                self._clean(key)
            return len([key for key in self.logs if self.logs[key]])
