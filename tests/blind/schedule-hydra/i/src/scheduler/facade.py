"""The class that others use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .engine import Engine, with_skipped
from .graph import topological_order
from .model import TaskSpec, checked_limit


class Scheduler:
    """Knows tasks and what they wait for, plans them and runs them."""

    def __init__(self, limit: int | None = None) -> None:
        """Make a scheduler without tasks that has at most `limit` of them under way at once."""
        self._limit = checked_limit(limit)
        self._tasks: dict[str, TaskSpec] = {}

    def add(self, name: str, work: Callable[[dict[str, Any]], Any], after: Iterable[str] = ()) -> None:
        """Tell of a task and the names of the tasks it waits for."""
        spec = TaskSpec.checked(name, work, after)
        if spec.name in self._tasks:
            raise ValueError(f"there already is a task {spec.name!r}")
        self._tasks[spec.name] = spec

    def __len__(self) -> int:
        """How many tasks there are."""
        return len(self._tasks)

    def plan(self) -> list[str]:
        """All names in the order in which the tasks would start, one at a time."""
        return topological_order(self._tasks)

    async def run(self) -> dict[str, tuple[str, Any]]:
        """Run all tasks and tell what became of them."""
        order = self.plan()
        outcomes = await Engine(self._tasks, self._limit).run()
        complete = with_skipped(self._tasks, order, outcomes)
        return {name: outcome.as_tuple() for name, outcome in complete.items()}
