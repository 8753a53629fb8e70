"""The seams of the package, as protocols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from .model import Outcome, TaskSpec


@runtime_checkable
class Work(Protocol):
    """Anything that can be called with the inputs of a task."""

    def __call__(self, inputs: dict[str, Any], /) -> Any: ...


class SlotPolicy(Protocol):
    """Decides whether one more task may be under way."""

    def has_room(self, under_way: int) -> bool:
        """Whether another task may start beside so many."""
        ...


class ReadyQueue(Protocol):
    """Hands out ready tasks in the order in which they should start."""

    def push(self, specs: Iterable[TaskSpec]) -> None:
        """Add tasks that have become ready."""
        ...

    def pop(self) -> TaskSpec:
        """Take the task that comes first."""
        ...

    def __bool__(self) -> bool: ...


class OutcomeSink(Protocol):
    """Takes note of what became of tasks."""

    def record(self, spec: TaskSpec, outcome: Outcome) -> None:
        """Note an outcome."""
        ...

    def report(self) -> Mapping[str, tuple[str, Any]]:
        """All outcomes as the caller wants them."""
        ...
