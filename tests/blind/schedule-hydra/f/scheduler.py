"""Runs tasks in the order of what they wait for."""

import asyncio
import heapq
import inspect
from typing import Any, Callable, NamedTuple


class CycleError(ValueError):
    """Tasks wait for each other in a circle; `cycle` holds their names in the order of waiting."""

    def __init__(self, cycle):
        super().__init__("tasks wait for each other: " + " -> ".join([*cycle, cycle[0]]))
        self.cycle = cycle


class _Task(NamedTuple):
    place: int
    work: Callable[[dict], Any]
    after: tuple[str, ...]


class _Front:
    """The ready tasks of one run or plan."""

    def __init__(self, tasks):
        self._tasks = tasks
        self._open = {name: len(task.after) for name, task in tasks.items()}
        self._waiting = {name: [] for name in tasks}
        for name, task in tasks.items():
            for needed in task.after:
                self._waiting[needed].append(name)
        self._ready = [(task.place, name) for name, task in tasks.items() if not task.after]

    def __bool__(self):
        return bool(self._ready)

    def take(self):
        """Hand out the ready task that was added first."""
        return heapq.heappop(self._ready)[1]

    def done(self, name):
        """Take note that a task is done; others may be ready now."""
        for waiting in self._waiting[name]:
            self._open[waiting] -= 1
            if not self._open[waiting]:
                heapq.heappush(self._ready, (self._tasks[waiting].place, waiting))


class Scheduler:
    """Knows tasks and what they wait for."""

    def __init__(self, limit=None):
        """Make a scheduler without tasks; at most `limit` of them will be under way at once."""
        if limit is not None:
            if isinstance(limit, bool) or not isinstance(limit, int):
                raise TypeError(f"limit must be an int or None, not {limit!r}")
            if limit < 1:
                raise ValueError(f"limit must be 1 or more, not {limit}")
        self._limit = limit
        self._tasks = {}

    def add(self, name, work, after=()):
        """Tell of a task: call `work` with the results of the tasks named in `after`."""
        if not isinstance(name, str):
            raise TypeError(f"a name must be a str, not {name!r}")
        if not callable(work):
            raise TypeError(f"the work of {name!r} can't be called")
        if isinstance(after, str):
            raise TypeError("after must hold names, not be one")
        after = tuple(dict.fromkeys(_names(after)))
        if not name:
            raise ValueError("a name must not be empty")
        if name in self._tasks:
            raise ValueError(f"there is a task {name!r} already")
        self._tasks[name] = _Task(len(self._tasks), work, after)

    def __len__(self):
        """How many tasks there are."""
        return len(self._tasks)

    def plan(self):
        """The names in the order in which the tasks would start one at a time."""
        for name, task in self._tasks.items():
            for needed in task.after:
                if needed not in self._tasks:
                    raise ValueError(f"{name!r} waits for {needed!r}, which is no task")
        front, order = _Front(self._tasks), []
        while front:
            order.append(front.take())
            front.done(order[-1])
        if len(order) < len(self._tasks):
            raise CycleError(self._circle(set(self._tasks).difference(order)))
        return order

    def _circle(self, stuck):
        """Walk from any stuck task to another it waits for, until one comes again."""
        walk, name = {}, next(iter(stuck))
        while name not in walk:
            walk[name] = len(walk)
            name = next(needed for needed in self._tasks[name].after if needed in stuck)
        return list(walk)[walk[name]:]

    async def run(self):
        """Run all tasks and tell what became of them, as {name: (outcome, what)}."""
        order = self.plan()
        front, outcomes, under_way = _Front(self._tasks), {}, {}

        def settle(name, outcome):
            outcomes[name] = outcome
            if outcome[0] == "done":
                front.done(name)

        try:
            while front or under_way:
                while front and (self._limit is None or len(under_way) < self._limit):
                    name = front.take()
                    inputs = {needed: outcomes[needed][1] for needed in self._tasks[name].after}
                    answer = _call(self._tasks[name].work, inputs)
                    if isinstance(answer, tuple):
                        settle(name, answer)
                    else:
                        under_way[asyncio.ensure_future(answer)] = name
                if under_way:
                    ended, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                    for each in ended:
                        settle(under_way.pop(each), each.result())
        finally:
            for each in under_way:
                each.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)
        return self._report(order, outcomes)

    def _report(self, order, outcomes):
        """Outcomes in the order of adding; what never started is skipped because of all that failed before it."""
        blame = {}
        for name in order:
            if name in outcomes:
                blame[name] = {name} if outcomes[name][0] == "failed" else set()
            else:
                blame[name] = set().union(*(blame[needed] for needed in self._tasks[name].after))
                causes = sorted(blame[name], key=lambda cause: self._tasks[cause].place)
                outcomes[name] = ("skipped", causes)
        return {name: outcomes[name] for name in self._tasks}


def _names(after):
    for name in after:
        if not isinstance(name, str):
            raise TypeError(f"after must hold names, not {name!r}")
        yield name


def _call(work, inputs):
    """The outcome of a work that is over at once, or a coroutine that will return it."""
    try:
        answer = work(inputs)
    except (Exception, asyncio.CancelledError) as error:
        return "failed", error
    return _finish(answer) if inspect.isawaitable(answer) else ("done", answer)


async def _finish(awaitable):
    try:
        return "done", await awaitable
    except (Exception, asyncio.CancelledError) as error:
        return "failed", error
