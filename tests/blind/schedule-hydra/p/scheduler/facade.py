"""What users of the package see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .engine import Engine
from .graph import TaskGraph
from .policies import slot_policy
from .protocols import Work


class Scheduler:
    """Tasks, what each waits for, and a limit on how many are under way."""

    def __init__(self, limit: int | None = None) -> None:
        """Make a scheduler without tasks."""
        self._graph = TaskGraph()
        self._engine = Engine(self._graph, slot_policy(limit))

    def add(self, name: str, work: Work, after: Iterable[str] = ()) -> None:
        """Add a task."""
        self._graph.add(name, work, after)

    def __len__(self) -> int:
        return len(self._graph)

    def plan(self) -> list[str]:
        """All names in starting order, for one task at a time."""
        return self._graph.order()

    async def run(self) -> dict[str, tuple[str, Any]]:
        """Run all tasks and return what became of each."""
        return await self._engine.execute()
