"""A cache with a fixed number of places, in which everything has an end.

Two structures say all there is to say:
  shelf   a plain dict; Python keeps its order, so the first key is the one least recently used
  ends    a heap of (end, ticket): which entry dies next. A ticket that has left the shelf is skipped.
"""

import heapq
import itertools
import math
import time

FOREVER = None
ABSENT = object()
AS_THE_CACHE_SAYS = object()


def fair_life(ttl):
    """Give ttl back if it can be the life of an entry, refuse it otherwise."""
    if ttl is FOREVER:
        return ttl
    if isinstance(ttl, bool) or not isinstance(ttl, (int, float)):
        raise TypeError(f"a ttl is a number or None, not {ttl!r}")
    if not (math.isfinite(ttl) and ttl > 0):
        raise ValueError(f"a ttl is finite and above 0, not {ttl!r}")
    return ttl


def fair_capacity(capacity):
    """Give capacity back if it can be one, refuse it otherwise."""
    if not isinstance(capacity, int):
        raise TypeError(f"a capacity is an int, not {capacity!r}")
    if capacity < 0:
        raise ValueError("a capacity is not negative")
    return capacity


class Cache:
    """Keeps what is used, lets the least recently used go, forgets what has had its time."""

    def __init__(self, capacity, ttl=FOREVER, clock=time.monotonic):
        self._capacity = fair_capacity(capacity)
        self._ttl = fair_life(ttl)
        self._clock = clock
        self._shelf = {}  # key -> (value, ticket)
        self._ends = []
        self._owners = {}  # ticket -> key, for entries that will end
        self._tickets = itertools.count()
        self._counts = dict.fromkeys(("hits", "misses", "evictions", "expirations"), 0)

    def put(self, key, value, *, ttl=AS_THE_CACHE_SAYS):
        """Store a value; whoever was used least recently makes room for a new key."""
        life = self._ttl if ttl is AS_THE_CACHE_SAYS else fair_life(ttl)
        hash(key)
        self._bury_the_dead()
        if self._capacity == 0:
            return
        if key in self._shelf:
            self._remove(key)
        elif len(self._shelf) == self._capacity:
            self._remove(next(iter(self._shelf)))
            self._counts["evictions"] += 1
        ticket = next(self._tickets)
        self._shelf[key] = (value, ticket)
        if life is not FOREVER:
            heapq.heappush(self._ends, (self._clock() + life, ticket))
            self._owners[ticket] = key

    def get(self, key, default=None):
        """The value under key, which counts as a use; default if there is none."""
        value = self._use(key)
        return default if value is ABSENT else value

    def peek(self, key, default=None):
        """Like get, but nobody notices."""
        self._bury_the_dead()
        return self._shelf[key][0] if key in self._shelf else default

    def __contains__(self, key):
        self._bury_the_dead()
        return key in self._shelf

    def get_or_load(self, key, load):
        """The value under key, loaded and stored first if it is not there."""
        value = self._use(key)
        if value is ABSENT:
            value = load(key)
            self.put(key, value)
        return value

    def delete(self, key):
        """Remove an entry; whether there was one."""
        if key not in self:
            return False
        self._remove(key)
        return True

    def clear(self):
        """Remove all entries; the counts stay."""
        self._bury_the_dead()
        self._shelf.clear()
        self._ends.clear()
        self._owners.clear()

    def __len__(self):
        self._bury_the_dead()
        return len(self._shelf)

    def keys(self):
        """All keys, the least recently used first."""
        self._bury_the_dead()
        return list(self._shelf)

    def stats(self):
        """A copy of the counts."""
        self._bury_the_dead()
        return dict(self._counts)

    def _use(self, key):
        """The value under key, moved to the end of the shelf, and counted; ABSENT if there is none."""
        if key not in self:
            self._counts["misses"] += 1
            return ABSENT
        self._counts["hits"] += 1
        self._shelf[key] = self._shelf.pop(key)
        return self._shelf[key][0]

    def _remove(self, key):
        _, ticket = self._shelf.pop(key)
        self._owners.pop(ticket, None)

    def _bury_the_dead(self):
        """Remove and count every entry whose end has come."""
        now = self._clock()
        while self._ends and self._ends[0][0] <= now:
            _, ticket = heapq.heappop(self._ends)
            if ticket in self._owners:
                self._remove(self._owners[ticket])
                self._counts["expirations"] += 1
