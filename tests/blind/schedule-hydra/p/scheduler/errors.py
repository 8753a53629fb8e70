"""Errors of the package."""

from __future__ import annotations

from collections.abc import Sequence


class UnknownTaskError(ValueError):
    """A task waits for a name that nobody added."""

    def __init__(self, waiting: str, missing: str) -> None:
        super().__init__(f"task {waiting!r} waits for {missing!r}, which is no task")
        self.waiting = waiting
        self.missing = missing


class CycleError(ValueError):
    """Tasks wait for each other in a circle; `cycle` names them in the order of waiting."""

    def __init__(self, cycle: Sequence[str]) -> None:
        super().__init__("tasks wait for each other: " + " -> ".join(map(repr, cycle)))
        self.cycle = list(cycle)
