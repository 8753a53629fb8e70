"""Plain values that the other modules pass around."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class Status(str, enum.Enum):
    """What can become of a task."""

    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """A task as it was added."""

    index: int
    name: str
    work: Callable[[dict[str, Any]], Any]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task: its status, and a result, an exception or names."""

    status: Status
    value: Any

    def as_tuple(self) -> tuple[str, Any]:
        """The pair that run returns."""
        return self.status.value, self.value
