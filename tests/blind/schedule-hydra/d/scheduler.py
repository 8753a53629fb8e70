"""A scheduler for tasks that wait for each other.

`Scheduler` collects tasks. `_Ready` decides which task comes next, for the plan as well as for the run. `_Run` is one
run from its first start to its last outcome.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any

Outcome = tuple[str, Any]

__all__ = ["CycleError", "Scheduler"]


class CycleError(ValueError):
    """Tasks wait for each other in a circle.

    `cycle` holds the names on it: each task waits for the next one, the last for the first.
    """

    def __init__(self, cycle: list[str]):
        super().__init__(f"these tasks wait for each other in a circle: {', '.join(map(repr, cycle))}")
        self.cycle = cycle


@dataclass(frozen=True)
class _Task:
    name: str
    place: int
    work: Callable[[dict], Any]
    after: tuple[str, ...]


class _Ready:
    """The tasks whose turn it is, the first added first."""

    def __init__(self, tasks: dict[str, _Task]):
        self._blocked_by = {task.name: len(task.after) for task in tasks.values()}
        self._blocks: dict[str, list[_Task]] = {name: [] for name in tasks}
        for task in tasks.values():
            for name in task.after:
                self._blocks[name].append(task)
        self._heap = [(task.place, task) for task in tasks.values() if not task.after]
        heapify(self._heap)

    def __bool__(self) -> bool:
        return bool(self._heap)

    def pop(self) -> _Task:
        """Take the task out that comes first."""
        return heappop(self._heap)[1]

    def succeeded(self, name: str) -> None:
        """Unblock what waited for this task."""
        for task in self._blocks[name]:
            self._blocked_by[task.name] -= 1
            if self._blocked_by[task.name] == 0:
                heappush(self._heap, (task.place, task))


def _order(tasks: dict[str, _Task]) -> list[_Task]:
    """All tasks that can ever start, in the order of starting one at a time."""
    ready = _Ready(tasks)
    order = []
    while ready:
        task = ready.pop()
        order.append(task)
        ready.succeeded(task.name)
    return order


def _find_cycle(stuck: dict[str, _Task]) -> list[str]:
    """A circle among tasks of which each waits for at least one other of them."""
    seen: dict[str, int] = {}
    path: list[str] = []
    name = next(iter(stuck))
    while name not in seen:
        seen[name] = len(path)
        path.append(name)
        name = next(each for each in stuck[name].after if each in stuck)
    return path[seen[name]:]


def _refuse_unknown(tasks: dict[str, _Task]) -> None:
    for task in tasks.values():
        for name in task.after:
            if name not in tasks:
                raise ValueError(f"task {task.name!r} waits for {name!r}, but there is no such task")


async def _outcome_of(awaitable: Awaitable) -> Outcome:
    """Await what a work returned. A CancelledError is a failure here: if run is cancelled, nobody asks."""
    try:
        return "done", await awaitable
    except (Exception, asyncio.CancelledError) as error:
        return "failed", error


@dataclass
class _Run:
    """What changes while tasks run."""

    tasks: dict[str, _Task]
    limit: float
    ready: _Ready
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    under_way: set[asyncio.Task] = field(default_factory=set)
    wake: asyncio.Future | None = None

    async def finish(self) -> None:
        """Go on until nothing is under way and nothing can start."""
        try:
            self._start_all()
            while self.under_way:
                self.wake = asyncio.get_running_loop().create_future()
                await self.wake
                self._start_all()
        finally:
            await self._stop()

    def _start_all(self) -> None:
        while self.ready and len(self.under_way) < self.limit:
            self._start(self.ready.pop())

    def _start(self, task: _Task) -> None:
        inputs = {name: self.outcomes[name][1] for name in task.after}
        try:
            answer = task.work(inputs)
        except (Exception, asyncio.CancelledError) as error:
            self._settle(task, ("failed", error))
            return
        if inspect.isawaitable(answer):
            going = asyncio.create_task(_outcome_of(answer))
            self.under_way.add(going)
            going.add_done_callback(lambda ended: self._ended(task, ended))
        else:
            self._settle(task, ("done", answer))

    def _ended(self, task: _Task, ended: asyncio.Task) -> None:
        self.under_way.discard(ended)
        if not ended.cancelled():
            self._settle(task, ended.result())
        if self.wake is not None and not self.wake.done():
            self.wake.set_result(None)

    def _settle(self, task: _Task, outcome: Outcome) -> None:
        self.outcomes[task.name] = outcome
        if outcome[0] == "done":
            self.ready.succeeded(task.name)

    async def _stop(self) -> None:
        """Cancel what is under way and wait for its end."""
        left = list(self.under_way)
        for going in left:
            going.cancel()
        if left:
            await asyncio.wait(left)


def _causes(order: Iterable[_Task], outcomes: dict[str, Outcome]) -> Iterator[tuple[_Task, set[str]]]:
    """For each task that was never called the failed tasks before it."""
    nothing: set[str] = set()
    causes: dict[str, set[str]] = {}
    for task in order:
        if task.name not in outcomes:
            causes[task.name] = nothing.union(*(causes.get(name, nothing) for name in task.after))
            yield task, causes[task.name]
        elif outcomes[task.name][0] == "failed":
            causes[task.name] = {task.name}


class Scheduler:
    """Runs tasks as soon as what they wait for is done, and no more at once than allowed."""

    def __init__(self, limit: int | None = None):
        """Make a scheduler without tasks. `limit` is how many may be under way at once; None is any number."""
        if isinstance(limit, bool) or not isinstance(limit, int | None):
            raise TypeError(f"limit must be an int or None, not {type(limit).__name__}")
        if limit is not None and limit < 1:
            raise ValueError(f"limit must be 1 or more, not {limit}")
        self._limit = limit
        self._tasks: dict[str, _Task] = {}

    def add(self, name: str, work: Callable[[dict], Any], after: Iterable[str] = ()) -> None:
        """Tell of a task that waits for the tasks named in `after`; those may be added later."""
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not {type(name).__name__}")
        if not callable(work):
            raise TypeError(f"work must be callable, not {type(work).__name__}")
        if isinstance(after, str):
            raise TypeError("after must be an iterable of names, not a str")
        names = tuple(dict.fromkeys(_strings(after)))
        if not name:
            raise ValueError("name must not be empty")
        if name in self._tasks:
            raise ValueError(f"a task {name!r} exists already")
        self._tasks[name] = _Task(name, len(self._tasks), work, names)

    def __len__(self) -> int:
        """How many tasks there are."""
        return len(self._tasks)

    def plan(self) -> list[str]:
        """The names in the order in which tasks would start if one at a time ran. Refuses what can't be run."""
        return [task.name for task in self._checked_order()]

    async def run(self) -> dict[str, Outcome]:
        """Run everything and tell the outcome of each task, in the order of adding."""
        order = self._checked_order()
        run = _Run(self._tasks, self._limit or float("inf"), _Ready(self._tasks))
        await run.finish()
        for task, names in _causes(order, dict(run.outcomes)):
            run.outcomes[task.name] = ("skipped", sorted(names, key=lambda name: self._tasks[name].place))
        return {name: run.outcomes[name] for name in self._tasks}

    def _checked_order(self) -> list[_Task]:
        _refuse_unknown(self._tasks)
        order = _order(self._tasks)
        if len(order) < len(self._tasks):
            placed = {task.name for task in order}
            raise CycleError(_find_cycle({n: task for n, task in self._tasks.items() if n not in placed}))
        return order


def _strings(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"after must hold names, not {type(value).__name__}")
        yield value
