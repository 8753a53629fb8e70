"""Which of several ready tasks comes next."""

from collections import deque
from typing import Protocol


class Ordering(Protocol):
    """A collection of ready tasks that knows who comes first."""

    def push(self, name: str) -> None:
        """Take in a task that has become ready."""
        ...

    def pop(self) -> str:
        """Give out the task that comes first."""
        ...

    def __len__(self) -> int: ...


class InOrderOfAdding:
    """The default: the task that was added first comes first."""

    def __init__(self) -> None:
        self._names: deque[str] = deque()

    def push(self, name: str) -> None:
        """Add a ready task behind the others."""
        self._names.append(name)

    def pop(self) -> str:
        """Give out the one that was added first."""
        return self._names.popleft()

    def __len__(self) -> int:
        return len(self._names)
