"""The graph of tasks, and how far one walk along it has got."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .errors import CycleError, UnknownTaskError
from .model import TaskSpec
from .policies import AddedFirst


class TaskGraph:
    """All tasks that were added."""

    def __init__(self) -> None:
        self._specs: dict[str, TaskSpec] = {}

    def add(self, name: Any, work: Any, after: Iterable[str]) -> None:
        """Check a task and add it."""
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not {name!r}")
        if not callable(work):
            raise TypeError(f"work of {name!r} can't be called")
        if isinstance(after, str):
            raise TypeError("after must be an iterable of names, not a str")
        names = tuple(dict.fromkeys(after))
        if not all(isinstance(each, str) for each in names):
            raise TypeError("after must hold nothing but str")
        if not name:
            raise ValueError("name must not be empty")
        if name in self._specs:
            raise ValueError(f"there is a task {name!r} already")
        self._specs[name] = TaskSpec(len(self._specs), name, work, names)

    def __len__(self) -> int:
        return len(self._specs)

    def __iter__(self) -> Iterator[TaskSpec]:
        return iter(self._specs.values())

    def spec(self, name: str) -> TaskSpec:
        """The task of that name."""
        return self._specs[name]

    def check_names(self) -> None:
        """Raise an UnknownTaskError if some task waits for no task."""
        for spec in self:
            for name in spec.after:
                if name not in self._specs:
                    raise UnknownTaskError(spec.name, name)

    def order(self) -> list[str]:
        """The names in starting order for one at a time; raises if there is none."""
        self.check_names()
        walk = Walk(self)
        names = []
        while walk.ready:
            spec = walk.ready.pop()
            names.append(spec.name)
            walk.settle(spec)
        if len(names) < len(self):
            raise CycleError(self._find_cycle(set(names)))
        return names

    def _find_cycle(self, placed: set[str]) -> list[str]:
        current = next(spec for spec in self if spec.name not in placed)
        places: dict[str, int] = {}
        while current.name not in places:
            places[current.name] = len(places)
            current = self.spec(next(name for name in current.after if name not in placed))
        return list(places)[places[current.name] :]


class Walk:
    """Which tasks are ready, while others are settled one after the other."""

    def __init__(self, graph: TaskGraph) -> None:
        self.ready = AddedFirst()
        self._open = {spec.name: len(spec.after) for spec in graph}
        self._waiting: dict[str, list[TaskSpec]] = {spec.name: [] for spec in graph}
        for spec in graph:
            for name in spec.after:
                self._waiting[name].append(spec)
        self.ready.push(spec for spec in graph if not spec.after)

    def settle(self, spec: TaskSpec) -> None:
        """A task came to its end: those that waited for it alone are ready."""
        for other in self._waiting[spec.name]:
            self._open[other.name] -= 1
            if not self._open[other.name]:
                self.ready.push([other])
