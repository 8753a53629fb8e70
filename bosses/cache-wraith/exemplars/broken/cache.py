"""Simple cache, work in progress."""

import time

STORE = {}
USED = []
LOG = []


class Cache:
    """A cache."""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        global STORE
        STORE = {}
        self.capacity = capacity
        self.ttl = ttl

    def put(self, key, value, *, ttl=None):
        STORE[key] = (value, time.time() + (ttl or self.ttl or 3600))
        USED.append(key)
        LOG.append(("put", key, value))
        if len(STORE) > self.capacity:
            STORE.pop(USED.pop())

    def get(self, key, default=None):
        try:
            value, end = STORE[key]
            return value
        except:
            return default

    def peek(self, key, default=None):
        return self.lookup(key, default)

    def delete(self, key):
        return STORE.pop(key, False)

    def __len__(self):
        return len(USED)
