"""Implementations of the ports."""

import heapq
from collections import Counter, OrderedDict
from typing import Hashable, Iterator

EVENTS = ("hits", "misses", "evictions", "expirations")


class LeastRecentlyUsed:
    """Recency order in an OrderedDict."""

    def __init__(self) -> None:
        self._keys: OrderedDict[Hashable, None] = OrderedDict()

    def touch(self, key: Hashable) -> None:
        """Make the key the last used one."""
        self._keys[key] = None
        self._keys.move_to_end(key)

    def forget(self, key: Hashable) -> None:
        """Drop the key."""
        del self._keys[key]

    def victim(self) -> Hashable:
        """The least recently used key."""
        return next(iter(self._keys))

    def order(self) -> list[Hashable]:
        """All keys, the least recently used first."""
        return list(self._keys)


class DeadlineHeap:
    """Deadlines in a binary heap."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Hashable]] = []

    def schedule(self, deadline: float, token: int, key: Hashable) -> None:
        """Remember a deadline."""
        heapq.heappush(self._heap, (deadline, token, key))

    def due(self, moment: float) -> Iterator[tuple[int, Hashable]]:
        """Take out what has ended by the moment."""
        while self._heap and self._heap[0][0] <= moment:
            _, token, key = heapq.heappop(self._heap)
            yield token, key


class CountingObserver:
    """Counts events by name."""

    def __init__(self) -> None:
        self._counter: Counter[str] = Counter()

    def notify(self, event: str) -> None:
        """Count one event."""
        self._counter[event] += 1

    def snapshot(self) -> dict[str, int]:
        """A fresh dict of all counts."""
        return {event: self._counter[event] for event in EVENTS}
