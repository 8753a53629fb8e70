import time


class RateLimiter:
    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        self.limit = limit
        self.period = period
        self.clock = clock
        self.counts = {}
        self.limits = {}

    def window(self):
        return int(self.clock() / self.period)

    def used(self, key):
        window, count = self.counts.get(key, (None, 0))
        if window != self.window():
            return 0
        return count

    def try_acquire(self, key, cost=1):
        used = self.used(key)
        if used + cost > self.limits.get(key, self.limit):
            return False
        self.counts[key] = (self.window(), used + cost)
        return True

    def acquire(self, key, cost=1, timeout=None):
        # wait until the next window begins
        while not self.try_acquire(key, cost):
            if timeout is not None:
                return False
            time.sleep(0.01)
        return True

    def available(self, key):
        return self.limits.get(key, self.limit) - self.used(key)

    def retry_after(self, key, cost=1):
        if self.available(key) >= cost:
            return 0
        return (self.window() + 1) * self.period - self.clock()

    def set_limit(self, key, limit):
        self.limits[key] = limit or self.limit

    def __len__(self):
        return len(self.counts)
