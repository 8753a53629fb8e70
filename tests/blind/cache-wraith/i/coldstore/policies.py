"""Implementations of the interfaces."""

import heapq
from collections import OrderedDict
from itertools import count


class LeastRecentlyUsed:
    """Whatever was used longest ago leaves."""

    def __init__(self):
        self._order = OrderedDict()

    def touch(self, key):
        """Make the key the last used."""
        self._order[key] = None
        self._order.move_to_end(key)

    def forget(self, key):
        """Take the key out of the order."""
        del self._order[key]

    def victim(self):
        """The least recently used key."""
        return next(iter(self._order))

    def __iter__(self):
        return iter(self._order)


class HeapSchedule:
    """Ends of lives in a heap; void plans are skipped when they come up."""

    def __init__(self):
        self._heap = []
        self._current = {}
        self._numbers = count()

    def plan(self, key, ends):
        """Note the end of the key's life."""
        number = next(self._numbers)
        self._current[key] = number
        heapq.heappush(self._heap, (ends, number, key))

    def cancel(self, key):
        """Void the key's plan, if there is one."""
        self._current.pop(key, None)

    def due(self, now):
        """Yield the keys whose life is over at this time."""
        while self._heap and self._heap[0][0] <= now:
            _, number, key = heapq.heappop(self._heap)
            if self._current.get(key) == number:
                del self._current[key]
                yield key
