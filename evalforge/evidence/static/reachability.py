"""What follows from something, directly or through others: callers of callers, imports of imports."""

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def reachable(first: Iterable[T], following: Callable[[T], Iterable[T]]) -> set[T]:
    """These items, those that follow from each of them, and so on."""
    reached = set(first)
    waiting = list(reached)
    while waiting:
        more = set(following(waiting.pop())) - reached
        reached |= more
        waiting += more
    return reached
