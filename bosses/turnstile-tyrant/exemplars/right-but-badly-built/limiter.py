import threading
import time
import math
from collections import deque


class RateLimiter:
    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        if type(limit) is not int:
            raise TypeError("limit")
        if limit < 1:
            raise ValueError("limit")
        if type(period) is not int and type(period) is not float:
            raise TypeError("period")
        if math.isnan(period) or math.isinf(period) or period <= 0:
            raise ValueError("period")
        self.a = limit
        self.b = period
        self.c = clock
        self.d = sleep
        self.e = threading.Lock()
        self.f = deque()
        self.g = {}
        self.h = {}

    def op(self, what, key=None, cost=1, t=None):
        hash(key)
        first = None
        if what == "set":
            if cost is not None:
                if type(cost) is not int:
                    raise TypeError("limit")
                if cost < 1:
                    raise ValueError("limit")
        if what == "acq":
            if t is not None:
                if type(t) is not int and type(t) is not float:
                    raise TypeError("timeout")
                if math.isnan(t) or math.isinf(t) or t < 0:
                    raise ValueError("timeout")
        while True:
            with self.e:
                n = self.c()
                while len(self.f) > 0:
                    if self.f[0][0] <= n:
                        x = self.f.popleft()
                        self.g[x[1]][0] = self.g[x[1]][0] - x[2]
                        self.g[x[1]][1].popleft()
                        if self.g[x[1]][0] == 0:
                            del self.g[x[1]]
                    else:
                        break
                if what == "len":
                    return len(self.g)
                if what == "set":
                    if cost is None:
                        if key in self.h:
                            del self.h[key]
                    else:
                        self.h[key] = cost
                    return None
                m = self.h[key] if key in self.h else self.a
                u = self.g[key][0] if key in self.g else 0
                if what == "av":
                    if m - u < 0:
                        return 0
                    else:
                        return m - u
                if type(cost) is not int:
                    raise TypeError("cost")
                if cost < 1 or cost > m:
                    raise ValueError("cost")
                w = 0
                if u + cost > m:
                    z = u + cost - m
                    for x in self.g[key][1]:
                        z = z - x[1]
                        if z <= 0:
                            w = x[0] - n
                            break
                if what == "ra":
                    return w
                if w == 0:
                    if key not in self.g:
                        self.g[key] = [0, deque()]
                    self.g[key][0] = self.g[key][0] + cost
                    self.g[key][1].append((n + self.b, cost))
                    self.f.append((n + self.b, key, cost))
                    return True
                if what == "try":
                    return False
            if first is None:
                first = n
            if t is not None:
                if n + w > first + t:
                    return False
            self.d(w)

    def try_acquire(self, key, cost=1):
        return self.op("try", key, cost)

    def acquire(self, key, cost=1, timeout=None):
        return self.op("acq", key, cost, timeout)

    def available(self, key):
        return self.op("av", key)

    def retry_after(self, key, cost=1):
        return self.op("ra", key, cost)

    def set_limit(self, key, limit):
        self.op("set", key, limit)

    def __len__(self):
        return self.op("len")
