"""Tasks that wait for each other, and the one who keeps them in order."""

import asyncio
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any


class CycleError(ValueError):
    """Some tasks wait for each other in a circle; `cycle` tells which, each before the one it waits for."""

    def __init__(self, cycle: list[str]) -> None:
        super().__init__("these tasks wait for each other: " + ", ".join(cycle))
        self.cycle = cycle


@dataclass(frozen=True)
class Task:
    """What was told of one task."""

    name: str
    number: int
    work: Callable[[dict[str, Any]], Any]
    after: list[str]


class _Progress:
    """Which tasks of a graph are ready while others get done."""

    def __init__(self, tasks: dict[str, Task]) -> None:
        self._names = list(tasks)
        self._followers: dict[str, list[Task]] = {name: [] for name in tasks}
        self._open: dict[str, int] = {}
        self._ready: list[int] = []
        for task in tasks.values():
            self._open[task.name] = len(task.after)
            if not task.after:
                heappush(self._ready, task.number)
            for name in task.after:
                self._followers[name].append(task)

    def any_ready(self) -> bool:
        """Whether a task could start now."""
        return bool(self._ready)

    def pop(self) -> str:
        """The ready task that was added first."""
        return self._names[heappop(self._ready)]

    def done(self, name: str) -> None:
        """Go on: this task is done."""
        for task in self._followers[name]:
            self._open[task.name] -= 1
            if self._open[task.name] == 0:
                heappush(self._ready, task.number)


class Scheduler:
    """Is told tasks and runs them: as soon as they can, and no more at once than allowed."""

    def __init__(self, limit: int | None = None) -> None:
        """Start without tasks. No more than `limit` of them will be under way at once; None means any number."""
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int)):
            raise TypeError(f"a limit is an int or None, not {limit!r}")
        if limit is not None and limit < 1:
            raise ValueError(f"a limit is 1 or more, not {limit!r}")
        self._limit = limit
        self._tasks: dict[str, Task] = {}

    def add(self, name: str, work: Callable[[dict[str, Any]], Any], after: Iterable[str] = ()) -> None:
        """Tell of a task, and of the names it waits for."""
        if not isinstance(name, str):
            raise TypeError(f"a name is a str, not {name!r}")
        if not callable(work):
            raise TypeError(f"work is something to call, not {work!r}")
        if isinstance(after, str):
            raise TypeError("after is an iterable of names, not one name")
        names = list(dict.fromkeys(_only_names(after)))
        if name == "":
            raise ValueError("a name is not empty")
        if name in self._tasks:
            raise ValueError(f"{name!r} is taken")
        self._tasks[name] = Task(name, len(self._tasks), work, names)

    def __len__(self) -> int:
        """How many tasks there are."""
        return len(self._tasks)

    def plan(self) -> list[str]:
        """All names in the order of starting, if one at a time ran."""
        self._refuse_unknown()
        progress = _Progress(self._tasks)
        order = []
        while progress.any_ready():
            order.append(progress.pop())
            progress.done(order[-1])
        if len(order) < len(self._tasks):
            raise CycleError(self._circle(order))
        return order

    async def run(self) -> dict[str, tuple[str, Any]]:
        """Run all tasks, and tell what became of each."""
        order = self.plan()
        outcomes = await _Run(self._tasks, self._limit).to_the_end()
        failures: dict[str, set[str]] = {}
        for name in order:
            failures[name] = set().union(*(failures[each] for each in self._tasks[name].after))
            if name not in outcomes:
                outcomes[name] = "skipped", sorted(failures[name], key=lambda each: self._tasks[each].number)
            elif outcomes[name][0] == "failed":
                failures[name] = {name}
        return {name: outcomes[name] for name in self._tasks}

    def _refuse_unknown(self) -> None:
        for task in self._tasks.values():
            for name in task.after:
                if name not in self._tasks:
                    raise ValueError(f"{task.name!r} waits for {name!r}, but nobody told of that")

    def _circle(self, placed: list[str]) -> list[str]:
        left = self._tasks.keys() - placed
        steps: dict[str, None] = {}
        name = next(iter(left))
        while name not in steps:
            steps[name] = None
            name = next(each for each in self._tasks[name].after if each in left)
        path = list(steps)
        return path[path.index(name):]


class _Run:
    """One run: everything that changes while tasks run."""

    def __init__(self, tasks: dict[str, Task], limit: int | None) -> None:
        self._tasks = tasks
        self._places = len(tasks) if limit is None else limit
        self._progress = _Progress(tasks)
        self._outcomes: dict[str, tuple[str, Any]] = {}
        self._under_way: dict[asyncio.Task, str] = {}

    async def to_the_end(self) -> dict[str, tuple[str, Any]]:
        """The outcomes of all tasks that could start."""
        self._start_ready()
        while self._under_way:
            try:
                ended, _ = await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                await asyncio.wait(self._under_way)
                raise
            for task in ended:
                self._ended(self._under_way.pop(task), task.result())
            self._start_ready()
        return self._outcomes

    def _start_ready(self) -> None:
        while self._progress.any_ready() and len(self._under_way) < self._places:
            self._start(self._tasks[self._progress.pop()])

    def _start(self, task: Task) -> None:
        inputs = {name: self._outcomes[name][1] for name in task.after}
        try:
            answer = task.work(inputs)
        except (Exception, asyncio.CancelledError) as error:
            self._ended(task.name, ("failed", error))
        else:
            if inspect.isawaitable(answer):
                self._under_way[asyncio.create_task(_awaited(answer))] = task.name
            else:
                self._ended(task.name, ("done", answer))

    def _ended(self, name: str, outcome: tuple[str, Any]) -> None:
        self._outcomes[name] = outcome
        if outcome[0] == "done":
            self._progress.done(name)


async def _awaited(answer) -> tuple[str, Any]:
    try:
        return "done", await answer
    except (Exception, asyncio.CancelledError) as error:
        return "failed", error


def _only_names(after: Iterable[str]) -> Iterable[str]:
    for name in after:
        if not isinstance(name, str):
            raise TypeError(f"after holds names, not {name!r}")
        yield name
