"""Lives and when they end."""

import heapq
from itertools import count


def check_life(ttl):
    """Refuse a ttl that can't be one."""
    if ttl is None:
        return None
    if not isinstance(ttl, (int, float)):
        raise TypeError("a ttl is a number of seconds, or None")
    if not 0 < ttl < float("inf"):
        raise ValueError("a ttl is above 0 and finite")
    return ttl


class Graveyard:
    """Knows which nodes die next."""

    def __init__(self):
        self._plots = []
        self._numbers = count()

    def expect(self, node):
        """Remember when a node dies, if it ever does."""
        if node.dies is not None:
            heapq.heappush(self._plots, (node.dies, next(self._numbers), node))

    def due(self, now):
        """All nodes whose time has come, each once."""
        while self._plots and self._plots[0][0] <= now:
            dies, _, node = heapq.heappop(self._plots)
            if node.dies == dies:
                yield node
