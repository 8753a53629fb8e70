"""Implementations of SlotPolicy and ReadyQueue."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from .model import TaskSpec
from .protocols import SlotPolicy


class Unlimited:
    """Any number of tasks."""

    def has_room(self, under_way: int) -> bool:
        """Always."""
        return True


class Bounded:
    """At most so many tasks at once."""

    def __init__(self, limit: int) -> None:
        self._limit = limit

    def has_room(self, under_way: int) -> bool:
        """Whether the limit isn't reached."""
        return under_way < self._limit


def slot_policy(limit: int | None) -> SlotPolicy:
    """The policy for a limit, after checking it."""
    if limit is None:
        return Unlimited()
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise TypeError(f"limit must be an int or None, not {limit!r}")
    if limit < 1:
        raise ValueError(f"limit must be 1 or more, not {limit}")
    return Bounded(limit)


class AddedFirst:
    """Of all ready tasks the one that was added first comes first."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, TaskSpec]] = []

    def push(self, specs: Iterable[TaskSpec]) -> None:
        """Add tasks that have become ready."""
        for spec in specs:
            heapq.heappush(self._heap, (spec.index, spec))

    def pop(self) -> TaskSpec:
        """Take the task that was added first."""
        return heapq.heappop(self._heap)[1]

    def __bool__(self) -> bool:
        return bool(self._heap)
