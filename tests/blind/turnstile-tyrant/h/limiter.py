import time


class RateLimiter:
    # key -> list of times
    log = {}
    limits = {}

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        assert type(limit) == int
        assert limit >= 1
        assert period > 0
        self.limit = limit
        self.period = period
        self.clock = clock
        self.sleep = sleep
        self.log = {}

    def try_acquire(self, key, cost=1):
        assert type(cost) == int
        assert cost >= 1
        now = self.clock()
        if key not in self.log:
            self.log[key] = []
        new = []
        for t in self.log[key]:
            if now < t + self.period:
                new.append(t)
        self.log[key] = new
        limit = self.limit
        if key in self.limits:
            limit = self.limits[key]
        assert cost <= limit
        if len(self.log[key]) + cost <= limit:
            for i in range(cost):
                self.log[key].append(now)
            return True
        else:
            return False

    def acquire(self, key, cost=1, timeout=None):
        start = self.clock()
        while True:
            if self.try_acquire(key, cost) == True:
                return True
            if timeout and self.clock() > start + timeout:
                return False
            self.sleep(0.25)

    def available(self, key):
        now = self.clock()
        if key not in self.log:
            self.log[key] = []
        new = []
        for t in self.log[key]:
            if now < t + self.period:
                new.append(t)
        self.log[key] = new
        limit = self.limit
        if key in self.limits:
            limit = self.limits[key]
        if limit - len(self.log[key]) < 0:
            return 0
        return limit - len(self.log[key])

    def retry_after(self, key, cost=1):
        now = self.clock()
        if self.available(key) >= cost:
            return 0
        limit = self.limit
        if key in self.limits:
            limit = self.limits[key]
        need = len(self.log[key]) + cost - limit
        return self.log[key][need - 1] + self.period - now

    def set_limit(self, key, limit):
        if limit == None:
            if key in self.limits:
                del self.limits[key]
        else:
            assert type(limit) == int
            assert limit >= 1
            self.limits[key] = limit

    def __len__(self):
        n = 0
        for key in self.log:
            now = self.clock()
            used = False
            for t in self.log[key]:
                if now < t + self.period:
                    used = True
            if used:
                n = n + 1
        return n
