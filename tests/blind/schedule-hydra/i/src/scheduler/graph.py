"""Dependencies between tasks: what is ready, in which order, and what can never be."""

from collections.abc import Mapping

from .errors import CycleError, UnknownTaskError
from .model import TaskSpec
from .ordering import InOrderOfAdding, Ordering


class Frontier:
    """Walks through a graph: gives out ready tasks, is told which are done."""

    def __init__(self, tasks: Mapping[str, TaskSpec], ordering: Ordering | None = None) -> None:
        self._ordering = InOrderOfAdding() if ordering is None else ordering
        self._missing = {name: len(task.after) for name, task in tasks.items()}
        self._dependents: dict[str, list[str]] = {name: [] for name in tasks}
        for name, task in tasks.items():
            for dependency in task.after:
                self._dependents[dependency].append(name)
            if not task.after:
                self._ordering.push(name)

    def has_ready(self) -> bool:
        """Whether some task can start."""
        return len(self._ordering) > 0

    def next(self) -> str:
        """The task that starts next."""
        return self._ordering.pop()

    def mark_done(self, name: str) -> None:
        """A task is done: count down those that wait for it."""
        for dependent in self._dependents[name]:
            self._missing[dependent] -= 1
            if self._missing[dependent] == 0:
                self._ordering.push(dependent)


def topological_order(tasks: Mapping[str, TaskSpec]) -> list[str]:
    """The order of starting one at a time. Raises UnknownTaskError or CycleError if there is none."""
    _check_names(tasks)
    frontier = Frontier(tasks)
    order: list[str] = []
    while frontier.has_ready():
        name = frontier.next()
        order.append(name)
        frontier.mark_done(name)
    if len(order) != len(tasks):
        raise CycleError(_cycle_among(tasks, set(tasks) - set(order)))
    return order


def _check_names(tasks: Mapping[str, TaskSpec]) -> None:
    for name, task in tasks.items():
        for dependency in task.after:
            if dependency not in tasks:
                raise UnknownTaskError(name, dependency)


def _cycle_among(tasks: Mapping[str, TaskSpec], blocked: set[str]) -> list[str]:
    """Every blocked task waits for a blocked one, so following them must come round."""
    trail: list[str] = []
    visited: dict[str, int] = {}
    current = min(blocked)
    while current not in visited:
        visited[current] = len(trail)
        trail.append(current)
        current = next(name for name in tasks[current].after if name in blocked)
    return trail[visited[current]:]
