"""Tasks and outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Work(Protocol):
    """What a task does: takes the inputs and gives a result, or an awaitable of one."""

    def __call__(self, inputs: dict[str, Any], /) -> Any: ...


class Kind(str, Enum):
    """How a task can end."""

    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a task ended, and with what."""

    kind: Kind
    value: Any

    def as_tuple(self) -> tuple[str, Any]:
        """The outcome as callers of `Scheduler.run` see it."""
        return self.kind.value, self.value


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """One task as it was told."""

    name: str
    work: Callable[[dict[str, Any]], Any]
    after: tuple[str, ...]

    @classmethod
    def checked(cls, name: object, work: object, after: object) -> TaskSpec:
        """Make a task of arguments that nobody has looked at yet; TypeError or ValueError if they make no sense."""
        if not isinstance(name, str):
            raise TypeError(f"name must be str, got {type(name).__name__}")
        if not name:
            raise ValueError("name must not be empty")
        if not isinstance(work, Work):
            raise TypeError(f"work must be callable, got {type(work).__name__}")
        return cls(name, work, _names(after))


def _names(after: object) -> tuple[str, ...]:
    if isinstance(after, str) or not isinstance(after, Iterable):
        raise TypeError(f"after must be an iterable of names, got {type(after).__name__}")
    names = tuple(after)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"after must hold names, got {type(name).__name__}")
    return tuple(dict.fromkeys(names))


def checked_limit(limit: object) -> int | None:
    """The limit, if it is one."""
    if limit is None:
        return None
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise TypeError(f"limit must be int or None, got {type(limit).__name__}")
    if limit < 1:
        raise ValueError("limit must be at least 1")
    return limit
