"""Cache"""
import time


class Cache:
    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        self.capacity = capacity
        self.ttl = ttl
        self.clock = clock
        self.drawer = []
        self.h = self.m = self.e = self.x = 0

    def put(self, key, value, ttl=None):
        self.do("put", key, value, ttl)

    def get(self, key, default=None):
        return self.do("get", key, default)

    def peek(self, key, default=None):
        return self.do("peek", key, default)

    def __contains__(self, key):
        return self.do("in", key)

    def delete(self, key):
        return self.do("delete", key)

    def clear(self):
        self.do("clear")

    def __len__(self):
        return self.do("len")

    def keys(self):
        return self.do("keys")

    def stats(self):
        return self.do("stats")

    def get_or_load(self, key, load):
        return self.do("load", key, load)

    def do(self, what, key=None, a=None, b=None):
        now = self.clock()
        # throw out old ones
        keep = []
        for row in self.drawer:
            if row[2] and now > row[2]:
                self.x += 1
            else:
                keep.append(row)
        self.drawer = keep
        if what == "clear":
            self.drawer = []
        elif what == "len":
            return len(self.drawer)
        elif what == "keys":
            return [row[0] for row in self.drawer]
        elif what == "stats":
            return {"hits": self.h, "misses": self.m, "evictions": self.e, "expirations": self.x}
        else:
            found = None
            for row in self.drawer:
                if row[0] == key:
                    found = row
            if what == "in":
                return found is not None
            elif what == "delete":
                if found:
                    self.drawer.remove(found)
                    return True
                return False
            elif what == "put":
                if found:
                    self.drawer.remove(found)
                life = b or self.ttl
                if life:
                    self.drawer.append([key, a, now + life])
                else:
                    self.drawer.append([key, a, None])
                while len(self.drawer) > self.capacity:
                    self.drawer.pop(0)
                    self.e += 1
            elif what == "peek":
                if found and found[1]:
                    return found[1]
                return a
            elif what == "get":
                if found and found[1]:
                    self.h += 1
                    return found[1]
                self.m += 1
                return a
            elif what == "load":
                if found and found[1]:
                    self.h += 1
                    return found[1]
                self.m += 1
                value = a(key)
                self.do("put", key, value)
                return value
