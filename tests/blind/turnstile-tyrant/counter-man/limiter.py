import time

WINDOWS = {}
OWN = {}


class RateLimiter:
    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        assert limit >= 1, "limit too small"
        assert period > 0, "period too small"
        self.limit = limit
        self.period = period
        self.clock = clock
        self.sleep = sleep

    def _id(self, key):
        return (id(self), key, int(self.clock() / self.period))

    def try_acquire(self, key, cost=1):
        k = self._id(key)
        limit = OWN.get((id(self), key), self.limit)
        if cost < 1 or cost > limit:
            raise ValueError(cost)
        # count the call
        WINDOWS[k] = WINDOWS.get(k, 0) + cost
        if WINDOWS[k] > limit:
            WINDOWS[k] = WINDOWS[k] - cost
            return False
        return True

    def acquire(self, key, cost=1, timeout=None):
        waited = 0
        while not self.try_acquire(key, cost):
            # look again in a moment
            step = self.period / 20
            if timeout is not None and waited + step > timeout:
                return False
            self.sleep(step)
            waited = waited + step
        return True

    def available(self, key):
        k = self._id(key)
        limit = OWN.get((id(self), key), self.limit)
        return max(limit - WINDOWS.get(k, 0), 0)

    def retry_after(self, key, cost=1):
        if self.available(key) >= cost:
            return 0
        now = self.clock()
        return self.period - now % self.period

    def set_limit(self, key, limit):
        if limit is None:
            del OWN[(id(self), key)]
        else:
            OWN[(id(self), key)] = limit

    def __len__(self):
        current = int(self.clock() / self.period)
        n = 0
        for k in WINDOWS:
            if k[0] == id(self) and k[2] == current:
                n = n + 1
        return n


if __name__ == "__main__":
    r = RateLimiter(3, 1)
    for i in range(10):
        print(i, r.try_acquire("me"), r.available("me"))
        time.sleep(0.2)
