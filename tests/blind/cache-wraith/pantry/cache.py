import time
from collections import OrderedDict

NOT_GIVEN = object()


class Cache:
    """LRU cache with time to live"""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if not isinstance(capacity, int) or isinstance(capacity, bool) or capacity < 0:
            raise ValueError("capacity must be an int >= 0")
        if ttl is not None and (not isinstance(ttl, (int, float)) or ttl <= 0):
            raise ValueError("ttl must be a number > 0")
        self.capacity = capacity
        self.ttl = ttl
        self.clock = clock
        self.items = OrderedDict()
        self.hits = 0
        self.misses = 0
        self.evictions = 0
        self.expirations = 0

    def put(self, key, value, *, ttl=NOT_GIVEN):
        """store a value"""
        if ttl is NOT_GIVEN:
            ttl = self.ttl
        elif ttl is not None and (not isinstance(ttl, (int, float)) or ttl <= 0):
            raise ValueError("ttl must be a number > 0")
        if self.capacity == 0:
            return
        if ttl is None:
            end = None
        else:
            end = self.clock() + ttl
        if key in self.items:
            self.items.pop(key)
        elif len(self.items) >= self.capacity:
            self.items.popitem(last=False)
            self.evictions += 1
        self.items[key] = (value, end)

    def get(self, key, default=None):
        """find a value and use it"""
        if key in self.items:
            value, end = self.items[key]
            if end is not None and self.clock() >= end:
                del self.items[key]
                self.expirations += 1
            else:
                self.hits += 1
                self.items.move_to_end(key)
                return value
        self.misses += 1
        return default

    def peek(self, key, default=None):
        """find a value without using it"""
        if key in self.items:
            value, end = self.items[key]
            if end is None or self.clock() < end:
                return value
        return default

    def __contains__(self, key):
        missing = object()
        return self.get(key, missing) is not missing

    def get_or_load(self, key, load):
        """find a value, or load and store it"""
        missing = object()
        value = self.get(key, missing)
        if value is missing:
            value = load(key)
            self.put(key, value)
        return value

    def delete(self, key):
        if key in self.items:
            value, end = self.items.pop(key)
            return end is None or self.clock() < end
        return False

    def clear(self):
        self.items.clear()

    def __len__(self):
        return len(self.keys())

    def keys(self):
        now = self.clock()
        return [k for k, (value, end) in self.items.items() if end is None or now < end]

    def stats(self):
        return {
            "hits": self.hits,
            "misses": self.misses,
            "evictions": self.evictions,
            "expirations": self.expirations,
        }
