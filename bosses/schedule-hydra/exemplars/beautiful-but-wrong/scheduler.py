"""A scheduler on top of structured concurrency.

>>> scheduler = Scheduler(limit=4)
>>> scheduler.add("greet", lambda inputs: "hello")
>>> asyncio.run(scheduler.run())
{'greet': ('done', 'hello')}
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

Inputs = dict[str, Any]
Work = Callable[[Inputs], Any]


class CycleError(ValueError):
    """Tasks wait for each other."""

    def __init__(self, cycle: list[str]) -> None:
        """Remember the names on the cycle."""
        super().__init__(f"cyclic dependency: {' -> '.join(cycle)}")
        self.cycle = cycle


class Colour(Enum):
    """How far a depth-first search has come with a task."""

    GREY = auto()
    BLACK = auto()


@dataclass(frozen=True)
class Job:
    """A task: its name, its work, and the names it depends on."""

    name: str
    work: Work
    after: tuple[str, ...]

    async def perform(self, inputs: Inputs) -> Any:
        """Call the work, and await what can be awaited."""
        result = self.work(inputs)
        return await result if inspect.isawaitable(result) else result


@dataclass
class Search:
    """A depth-first search that gives names in a possible order and stops at a cycle."""

    jobs: dict[str, Job]
    colours: dict[str, Colour] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)

    def visit(self, name: str, wanted_by: str = "") -> Iterator[str]:
        """Everything that has to come before a task, and the task."""
        if name not in self.jobs:
            raise ValueError(f"{wanted_by} depends on {name}, which is unknown")
        if self.colours.get(name) is Colour.GREY:
            raise CycleError(self.path[self.path.index(name) :])
        if name not in self.colours:
            self.colours[name] = Colour.GREY
            self.path.append(name)
            for each in self.jobs[name].after:
                yield from self.visit(each, name)
            self.path.pop()
            self.colours[name] = Colour.BLACK
            yield name


def validated_limit(limit: Any) -> int | None:
    """A limit that makes sense.

    Raises:
        TypeError: It is neither an int nor None.
        ValueError: It is below 1.
    """
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int)):
        raise TypeError("limit must be an int or None")
    if limit is not None and limit < 1:
        raise ValueError("limit must be positive")
    return limit


def validated_names(after: Any) -> tuple[str, ...]:
    """Names without repetition.

    Raises:
        TypeError: It is not an iterable of names.
    """
    if isinstance(after, str):
        raise TypeError("after must be an iterable of names")
    names = tuple(dict.fromkeys(after))
    if not all(isinstance(name, str) for name in names):
        raise TypeError("names must be str")
    return names


class Scheduler:
    """Collects jobs, and runs them as one group."""

    def __init__(self, limit: int | None = None) -> None:
        """Make an empty scheduler."""
        self._limit = validated_limit(limit)
        self._jobs: dict[str, Job] = {}

    def add(self, name: str, work: Work, after: Iterable[str] = ()) -> None:
        """Add a job."""
        if not isinstance(name, str) or not callable(work):
            raise TypeError("a job needs a name and a callable")
        if not name or name in self._jobs:
            raise ValueError(f"{name!r} is no new name")
        self._jobs[name] = Job(name, work, validated_names(after))

    def plan(self) -> list[str]:
        """A possible order."""
        search = Search(self._jobs)
        return [name for job in self._jobs for name in search.visit(job)]

    async def run(self) -> dict[str, tuple[str, Any]]:
        """Run all jobs in one group; if one fails, the group is cancelled."""
        results: dict[str, asyncio.Task[Any]] = {}
        places = asyncio.Semaphore(self._limit) if self._limit else nullcontext()

        async def take_part(job: Job) -> Any:
            async with places:
                inputs = {name: await results[name] for name in job.after}
                return await job.perform(inputs)

        order = self.plan()
        async with asyncio.TaskGroup() as group:
            for job in reversed(order):
                results[job] = group.create_task(take_part(self._jobs[job]))
        return {name: ("done", results[name].result()) for name in self._jobs}

    def __len__(self) -> int:
        """The number of jobs."""
        return len(self._jobs)
