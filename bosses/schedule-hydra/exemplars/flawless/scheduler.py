"""Runs tasks in the order of what they wait for: as soon as they can, and no more at once than allowed."""

import asyncio
import heapq
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Outcome = tuple[str, Any]
Work = Callable[[dict[str, Any]], Any]


class CycleError(ValueError):
    """Tasks wait for each other in a circle.

    Attributes:
        cycle: Their names; each waits for the next one, and the last for the first.
    """

    def __init__(self, cycle: list[str]) -> None:
        """Name the circle."""
        super().__init__("tasks wait for each other: " + " -> ".join([*cycle, cycle[0]]))
        self.cycle = cycle


@dataclass(frozen=True, slots=True)
class _Task:
    place: int
    name: str
    work: Work
    after: tuple[str, ...]


class Scheduler:
    """Knows tasks and what they wait for. Nothing of a run is kept here, so each run starts anew."""

    def __init__(self, limit: int | None = None) -> None:
        """Make a scheduler without tasks.

        Raises:
            TypeError: The limit is neither an int nor None.
            ValueError: The limit is below 1.
        """
        if limit is not None:
            if isinstance(limit, bool) or not isinstance(limit, int):
                raise TypeError(f"limit must be an int or None, not {limit!r}")
            if limit < 1:
                raise ValueError(f"limit must be 1 or more, not {limit}")
        self._limit = limit
        self._tasks: dict[str, _Task] = {}

    def add(self, name: str, work: Work, after: Iterable[str] = ()) -> None:
        """Tell of a task and of the names it waits for, which may be added later.

        Raises:
            TypeError: The name or one it waits for is no str, or the work can't be called.
            ValueError: The name is empty or taken.
        """
        if not callable(work):
            raise TypeError(f"the work of {name!r} can't be called")
        if isinstance(after, str):
            raise TypeError(f"{name!r} waits for names, not for the letters of a str")
        awaited = tuple(dict.fromkeys(after))
        for each in (name, *awaited):
            if not isinstance(each, str):
                raise TypeError(f"a name must be a str, not {each!r}")
        if not name or name in self._tasks:
            raise ValueError(f"a name must be new and not empty, not {name!r}")
        self._tasks[name] = _Task(len(self._tasks), name, work, awaited)

    def __len__(self) -> int:
        """How many tasks there are."""
        return len(self._tasks)

    def plan(self) -> list[str]:
        """All names in the order in which they would start one at a time.

        Raises:
            ValueError: A task waits for a name that no task has.
            CycleError: Tasks wait for each other.
        """
        self._check_names()
        queue, order = _Queue(self._tasks), list[str]()
        while (task := queue.next()) is not None:
            order.append(task.name)
            queue.done(task)
        if len(order) < len(self._tasks):
            raise CycleError(_circle(self._tasks, set(order)))
        return order

    async def run(self) -> dict[str, Outcome]:
        """Run all tasks; what became of each, in the order in which they were added.

        Raises:
            ValueError, CycleError: As plan does, before anything is called.
        """
        return await _Run(self._tasks, self._limit, self.plan()).finish()

    def _check_names(self) -> None:
        for task in self._tasks.values():
            for name in task.after:
                if name not in self._tasks:
                    raise ValueError(f"{task.name!r} waits for {name!r}, which is not the name of a task")


class _Queue:
    """Which tasks are ready, the one that was added first in front."""

    def __init__(self, tasks: dict[str, _Task]) -> None:
        self._followers: dict[str, list[_Task]] = {name: [] for name in tasks}
        self._open = {name: len(task.after) for name, task in tasks.items()}
        for task in tasks.values():
            for name in task.after:
                self._followers[name].append(task)
        # Places differ, so tasks themselves are never compared; in the order of adding this is a heap already.
        self._ready = [(task.place, task) for task in tasks.values() if not task.after]

    def next(self) -> _Task | None:
        return heapq.heappop(self._ready)[1] if self._ready else None

    def done(self, task: _Task) -> None:
        for follower in self._followers[task.name]:
            self._open[follower.name] -= 1
            if self._open[follower.name] == 0:
                heapq.heappush(self._ready, (follower.place, follower))


class _Run:
    """One run. A failed task opens no way for others, so what never becomes ready is skipped in the end."""

    def __init__(self, tasks: dict[str, _Task], limit: int | None, plan: list[str]) -> None:
        self._tasks = tasks
        self._plan = plan
        self._places = len(tasks) if limit is None else limit
        self._queue = _Queue(tasks)
        self._outcomes: dict[str, Outcome] = {}
        self._under_way: dict[asyncio.Task[Outcome], _Task] = {}
        self._ended: asyncio.Queue[asyncio.Task[Outcome]] = asyncio.Queue()

    async def finish(self) -> dict[str, Outcome]:
        try:
            self._start_what_is_ready()
            while self._under_way:
                self._note(await self._ended.get())
                while not self._ended.empty():
                    self._note(self._ended.get_nowait())
                self._start_what_is_ready()
        finally:
            await self._clear_away()
        self._skip_the_rest()
        return {name: self._outcomes[name] for name in self._tasks}

    def _start_what_is_ready(self) -> None:
        while len(self._under_way) < self._places and (task := self._queue.next()) is not None:
            inputs = {name: self._outcomes[name][1] for name in task.after}
            performance = asyncio.create_task(_perform(task.work, inputs))
            performance.add_done_callback(self._ended.put_nowait)
            self._under_way[performance] = task

    def _note(self, performance: "asyncio.Task[Outcome]") -> None:
        task, outcome = self._under_way.pop(performance), performance.result()
        self._outcomes[task.name] = outcome
        if outcome[0] == "done":
            self._queue.done(task)

    async def _clear_away(self) -> None:
        """Cancel what is under way, and wait until it has come to its end."""
        for each in self._under_way:
            each.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    def _skip_the_rest(self) -> None:
        """Tell each task that never became ready which failures are to blame. In the order of the plan, so causes come first."""
        blamed: dict[str, frozenset[str]] = {}
        for name in self._plan:
            if name in self._outcomes:
                blamed[name] = frozenset([name] if self._outcomes[name][0] == "failed" else [])
                continue
            blamed[name] = frozenset[str]().union(*(blamed[each] for each in self._tasks[name].after))
            causes = sorted(blamed[name], key=lambda each: self._tasks[each].place)
            self._outcomes[name] = ("skipped", causes)


async def _perform(work: Work, inputs: dict[str, Any]) -> Outcome:
    """Call the work and await what it returns, if that can be. A CancelledError counts as a failure like any other."""
    try:
        result = work(inputs)
        return ("done", await result if inspect.isawaitable(result) else result)
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - what a task raises is its outcome
        return ("failed", error)


def _circle(tasks: dict[str, _Task], placed: set[str]) -> list[str]:
    """A circle among the tasks that could not be placed: each of them waits for another one of them."""
    name = next(each for each in tasks if each not in placed)
    path: dict[str, None] = {}
    while name not in path:
        path[name] = None
        name = next(each for each in tasks[name].after if each not in placed)
    names = list(path)
    return names[names.index(name) :]
