import heapq, math, time
from collections import OrderedDict

N = object()


class Cache:
    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if type(capacity) is bool or not isinstance(capacity, int):
            raise TypeError("bad capacity")
        if capacity < 0:
            raise ValueError("bad capacity")
        if ttl is not None:
            if type(ttl) is bool or not isinstance(ttl, (int, float)):
                raise TypeError("bad ttl")
            if math.isnan(ttl) or math.isinf(ttl) or ttl <= 0:
                raise ValueError("bad ttl")
        self.c = capacity
        self.t = ttl
        self.k = clock
        self.d = OrderedDict()
        self.h = []
        self.n = 0
        self.s = [0, 0, 0, 0]

    def do(self, op, key=None, v=None, t=N, f=None):
        if op == "put" or op == "get" or op == "peek" or op == "del" or op == "has" or op == "load":
            hash(key)
        if op == "put":
            if t is N:
                t = self.t
            elif t is not None:
                if type(t) is bool or not isinstance(t, (int, float)):
                    raise TypeError("bad ttl")
                if math.isnan(t) or math.isinf(t) or t <= 0:
                    raise ValueError("bad ttl")
        now = self.k()
        while len(self.h) > 0:
            if self.h[0][0] <= now:
                x = heapq.heappop(self.h)
                if x[2] in self.d:
                    if self.d[x[2]][1] == x[1]:
                        del self.d[x[2]]
                        self.s[3] = self.s[3] + 1
            else:
                break
        if op == "put":
            if self.c > 0:
                if key in self.d:
                    del self.d[key]
                else:
                    if len(self.d) == self.c:
                        self.d.popitem(last=False)
                        self.s[2] = self.s[2] + 1
                self.n = self.n + 1
                self.d[key] = (v, self.n)
                if t is not None:
                    heapq.heappush(self.h, (now + t, self.n, key))
            return None
        elif op == "get" or op == "load":
            if key in self.d:
                self.s[0] = self.s[0] + 1
                self.d.move_to_end(key)
                return self.d[key][0]
            else:
                self.s[1] = self.s[1] + 1
                if op == "load":
                    r = f(key)
                    self.do("put", key, r)
                    return r
                return v
        elif op == "peek":
            if key in self.d:
                return self.d[key][0]
            else:
                return v
        elif op == "has":
            return key in self.d
        elif op == "del":
            if key in self.d:
                del self.d[key]
                return True
            else:
                return False
        elif op == "clear":
            self.d.clear()
            self.h = []
        elif op == "len":
            return len(self.d)
        elif op == "keys":
            return list(self.d)
        elif op == "stats":
            r = {}
            r["hits"] = self.s[0]
            r["misses"] = self.s[1]
            r["evictions"] = self.s[2]
            r["expirations"] = self.s[3]
            return r

    def put(self, key, value, *, ttl=N):
        self.do("put", key, value, ttl)

    def get(self, key, default=None):
        return self.do("get", key, default)

    def peek(self, key, default=None):
        return self.do("peek", key, default)

    def get_or_load(self, key, load):
        return self.do("load", key, f=load)

    def delete(self, key):
        return self.do("del", key)

    def clear(self):
        self.do("clear")

    def keys(self):
        return self.do("keys")

    def stats(self):
        return self.do("stats")

    def __contains__(self, key):
        return self.do("has", key)

    def __len__(self):
        return self.do("len")
