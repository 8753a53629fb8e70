"""The cache: values in a dict, their order in a line, their ends in a calendar."""

import time

from .arguments import capacity_from, life_from
from .hours import Hours
from .line import Line

COUNTS = ("hits", "misses", "evictions", "expirations")
USUAL = object()
NOTHING = object()


class Cache:
    """Keeps what is used, as long as it lives."""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        """An empty cache."""
        self._capacity = capacity_from(capacity)
        self._ttl = life_from(ttl)
        self._clock = clock
        self._tally = dict.fromkeys(COUNTS, 0)
        self._empty()

    def put(self, key, value, *, ttl=USUAL):
        """Store a value under a key; a use of it."""
        life = self._ttl if ttl is USUAL else life_from(ttl)
        hash(key)
        now = self._sweep()
        if self._capacity == 0:
            return
        if key in self._values:
            self._remove(key)
        elif len(self._values) == self._capacity:
            self._remove(self._line.first())
            self._tally["evictions"] += 1
        self._values[key] = value
        self._line.join(key)
        self._hours.note(key, None if life is None else now + life)

    def get(self, key, default=None):
        """The value of a key, or the default; a use of it."""
        value = self._use(key)
        return default if value is NOTHING else value

    def get_or_load(self, key, load):
        """The value of a key, if need be from load; a use of it."""
        value = self._use(key)
        if value is NOTHING:
            value = load(key)
            self.put(key, value)
        return value

    def peek(self, key, default=None):
        """The value of a key, or the default; no use of it."""
        self._sweep()
        return self._values.get(key, default)

    def delete(self, key):
        """Take a key out; whether it was there."""
        self._sweep()
        if key not in self._values:
            return False
        self._remove(key)
        return True

    def clear(self):
        """Take everything out."""
        self._sweep()
        self._empty()

    def keys(self):
        """All keys, the least recently used first."""
        self._sweep()
        return list(self._line)

    def stats(self):
        """The counts so far."""
        self._sweep()
        return self._tally.copy()

    def __contains__(self, key):
        """Whether a key is there; no use of it."""
        self._sweep()
        return key in self._values

    def __len__(self):
        """How many keys are there."""
        self._sweep()
        return len(self._values)

    def _use(self, key):
        """The value of a key as its last use, counted, or NOTHING."""
        self._sweep()
        value = self._values.get(key, NOTHING)
        self._tally["misses" if value is NOTHING else "hits"] += 1
        if value is not NOTHING:
            self._line.back(key)
        return value

    def _sweep(self):
        """Take out what has ended by now, and count it; gives the time."""
        now = self._clock()
        for key in self._hours.over(now):
            self._remove(key)
            self._tally["expirations"] += 1
        return now

    def _remove(self, key):
        """Take a key out of everything."""
        del self._values[key]
        self._line.leave(key)
        self._hours.strike(key)

    def _empty(self):
        """Start with nothing in it."""
        self._values, self._line, self._hours = {}, Line(), Hours()
