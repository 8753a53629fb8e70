"""Tasks as values, a plan as a fold, a run as a stream of events."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from functools import reduce
from inspect import isawaitable
from itertools import chain, takewhile
from typing import Any, NamedTuple


class Task(NamedTuple):
    name: str
    work: Callable[[dict], Any]
    after: tuple[str, ...]


class Progress(NamedTuple):
    """Who waits still, and what is settled. A step makes a new one."""

    waiting: tuple[Task, ...]
    settled: frozenset[str]

    def ready(self) -> Iterator[Task]:
        """The tasks that could start, the one added first first."""
        return (task for task in self.waiting if self.settled.issuperset(task.after))

    def without(self, task: Task) -> "Progress":
        """The same, but this task has left the queue."""
        return self._replace(waiting=tuple(each for each in self.waiting if each is not task))

    def settle(self, names: Iterable[str]) -> "Progress":
        """The same, but these tasks have come to their end."""
        return self._replace(settled=self.settled.union(names))


class CycleError(ValueError):
    """Tasks wait for each other; cycle holds their names in the order of waiting."""

    def __init__(self, cycle):
        super().__init__("these wait for each other: " + ", ".join(cycle))
        self.cycle = cycle


def steps(tasks) -> Iterator[str]:
    """Names in the order of the plan, as far as it gets."""
    progress = Progress(tuple(tasks.values()), frozenset())
    while (task := next(progress.ready(), None)) is not None:
        yield task.name
        progress = progress.without(task).settle([task.name])


def cycle_in(tasks, placed) -> list[str]:
    """One cycle among the tasks that could not be placed."""

    def follow(name):
        while True:
            yield name
            name = next(each for each in tasks[name].after if each not in placed)

    def until_repeated(names):
        seen = set()
        return list(takewhile(lambda name: not (name in seen or seen.add(name)), names))

    start = next(name for name in tasks if name not in placed)
    on_the_cycle = until_repeated(follow(start))[-1]
    return until_repeated(follow(on_the_cycle))


def causes(tasks, outcomes, task) -> list[str]:
    """All failed tasks behind a task, in the order of adding."""

    def of(name):
        match outcomes[name]:
            case ("failed", _):
                return [name]
            case ("skipped", names):
                return names
            case _:
                return []

    guilty = set(chain.from_iterable(map(of, task.after)))
    return [name for name in tasks if name in guilty] if guilty else []


def checked_limit(limit):
    match limit:
        case bool():
            raise TypeError("a limit is an int or None")
        case int() if limit < 1:
            raise ValueError("a limit is at least 1")
        case None | int():
            return limit
        case _:
            raise TypeError("a limit is an int or None")


def checked_task(name, work, after) -> Task:
    match name, after:
        case str(), str():
            raise TypeError("after is an iterable of names, not a name")
        case str(), _ if callable(work):
            names = tuple(dict.fromkeys(after))
        case _:
            raise TypeError("a task is a name and something to call")
    if not all(isinstance(each, str) for each in names):
        raise TypeError("after holds names only")
    if not name:
        raise ValueError("a name is not empty")
    return Task(name, work, names)


@asynccontextmanager
async def crew():
    """A set of running futures that is empty at the end, come what may."""
    running = {}
    try:
        yield running
    finally:
        for future in running:
            future.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def settle(awaitable):
    try:
        return "done", await awaitable
    except (Exception, asyncio.CancelledError) as error:
        return "failed", error


class Scheduler:
    """Runs tasks as soon as what they wait for is done."""

    def __init__(self, limit=None):
        """A scheduler without tasks; limit is how many may be under way."""
        self._limit = checked_limit(limit)
        self._tasks = {}

    def add(self, name, work, after=()):
        """Add a task."""
        task = checked_task(name, work, after)
        if task.name in self._tasks:
            raise ValueError(f"{name!r} is taken")
        self._tasks[task.name] = task

    def __len__(self):
        return len(self._tasks)

    def plan(self):
        """The names in the order in which they would start one at a time."""
        strangers = ((t.name, each) for t in self._tasks.values() for each in t.after if each not in self._tasks)
        for name, stranger in strangers:
            raise ValueError(f"{name} waits for {stranger}, which nobody knows")
        names = list(steps(self._tasks))
        if len(names) < len(self):
            raise CycleError(cycle_in(self._tasks, set(names)))
        return names

    async def run(self):
        """Run all tasks and return what became of each."""
        self.plan()
        outcomes = {}

        def begin(task):
            """An outcome, or something to await."""
            if guilty := causes(self._tasks, outcomes, task):
                return "skipped", guilty
            try:
                result = task.work({name: outcomes[name][1] for name in task.after})
            except (Exception, asyncio.CancelledError) as error:
                return "failed", error
            return asyncio.create_task(settle(result)) if isawaitable(result) else ("done", result)

        def fill(progress, running):
            """Start what is ready while there is room."""
            while len(running) != self._limit and (task := next(progress.ready(), None)):
                progress = progress.without(task)
                match begin(task):
                    case tuple(outcome):
                        outcomes[task.name] = outcome
                        progress = progress.settle([task.name])
                    case future:
                        running[future] = task.name
            return progress

        def collect(progress, future):
            name = running.pop(future)
            outcomes[name] = future.result()
            return progress.settle([name])

        async with crew() as running:
            progress = fill(Progress(tuple(self._tasks.values()), frozenset()), running)
            while running:
                ended, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                progress = fill(reduce(collect, ended, progress), running)
        return {name: outcomes[name] for name in self._tasks}
