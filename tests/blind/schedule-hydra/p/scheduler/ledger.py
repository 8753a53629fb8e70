"""Book-keeping of outcomes."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from .graph import TaskGraph
from .model import Outcome, Status, TaskSpec


class Ledger:
    """Outcomes of tasks, and who is to blame for the skipped ones."""

    def __init__(self, graph: TaskGraph) -> None:
        self._graph = graph
        self._outcomes: dict[str, Outcome] = {}
        self._blame: defaultdict[str, set[str]] = defaultdict(set)

    def clear(self) -> None:
        """Forget the outcomes of an earlier run."""
        self._outcomes.clear()

    def record(self, spec: TaskSpec, outcome: Outcome) -> None:
        """Note an outcome."""
        self._outcomes[spec.name] = outcome
        if outcome.status is Status.FAILED:
            self._blame[spec.name].add(spec.name)

    def blame(self, spec: TaskSpec) -> list[str]:
        """All failed tasks behind a task, in the order of adding."""
        causes = self._blame[spec.name]
        for name in spec.after:
            causes |= self._blame[name]
        return sorted(causes, key=lambda name: self._graph.spec(name).index)

    def inputs(self, spec: TaskSpec) -> dict[str, Any]:
        """The results a task waited for."""
        return {name: self._outcomes[name].value for name in spec.after}

    def report(self) -> dict[str, tuple[str, Any]]:
        """All outcomes in the order of adding."""
        return {spec.name: self._outcomes[spec.name].as_tuple() for spec in self._graph}
