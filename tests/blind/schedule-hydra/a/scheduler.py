"""Tasks as coroutines that wait for each other."""

import asyncio
import contextlib
import inspect
from functools import reduce
from heapq import heapify, heappop, heappush
from itertools import chain


class CycleError(ValueError):
    """Tasks wait for each other in a circle; its names are in `cycle`."""

    def __init__(self, cycle):
        super().__init__(f"a circle: {' > '.join(cycle)}")
        self.cycle = cycle


def ordered(tasks):
    """Yield the names of a sound graph, always the ready one that was added first."""
    places = {name: place for place, name in enumerate(tasks)}
    names = list(tasks)
    behind = {name: [] for name in tasks}
    for name, (_, after) in tasks.items():
        for each in after:
            behind[each].append(name)
    blocked = {name: len(after) for name, (_, after) in tasks.items()}
    ready = [places[name] for name in tasks if not blocked[name]]
    heapify(ready)
    while ready:
        yield (name := names[heappop(ready)])
        for each in behind[name]:
            blocked[each] -= 1
            if not blocked[each]:
                heappush(ready, places[each])


def unknown(tasks):
    """Yield (name, missing) for everything that is waited for in vain."""
    return ((name, each) for name, (_, after) in tasks.items() for each in after if each not in tasks)


def circles(tasks):
    """Yield the circles that a search in depth meets."""
    clear = set()

    def search(name, path):
        if name in path:
            yield list(path)[list(path).index(name):]
        elif name not in clear:
            yield from chain.from_iterable(search(each, path | {name: None}) for each in tasks[name][1])
            clear.add(name)

    return chain.from_iterable(search(name, {}) for name in tasks)


def checked(tasks):
    """The same tasks, if they can be run."""
    for name, missing in unknown(tasks):
        raise ValueError(f"{name} waits for {missing}, which nobody told of")
    for circle in circles(tasks):
        raise CycleError(circle)
    return tasks


def places(limit):
    """An async context manager that lets so many in at once."""
    return contextlib.nullcontext() if limit is None else asyncio.Semaphore(limit)


async def performed(work, inputs):
    """What comes of one call."""
    try:
        result = work(inputs)
        return "done", await result if inspect.isawaitable(result) else result
    except Exception as error:
        return "failed", error


def runner(tasks, limit):
    """A coroutine function that runs one task, once those before it are through."""
    nodes = {}
    place = places(limit)
    numbers = {name: number for number, name in enumerate(tasks)}

    def blamed(name, outcome):
        match outcome:
            case "failed", _:
                return {name}
            case "skipped", names:
                return set(names)
            case _:
                return set()

    async def node(name):
        work, after = tasks[name]
        before = {each: await nodes[each] for each in after}
        if causes := reduce(set.union, (blamed(*item) for item in before.items()), set()):
            return "skipped", sorted(causes, key=numbers.get)
        async with place:
            return await performed(work, {each: result for each, (_, result) in before.items()})

    async def everything():
        for name in ordered(tasks):
            nodes[name] = asyncio.create_task(node(name))
        outcomes = await asyncio.gather(*nodes.values(), return_exceptions=True)
        told = dict(zip(nodes, outcomes))
        return {name: ("failed", told[name]) if isinstance(told[name], BaseException) else told[name] for name in tasks}

    return everything


def refuse(kind, *rules):
    """Raise the error of the first rule that is broken."""
    for broken, message in rules:
        if broken:
            raise kind(message)


class Scheduler:
    """Knows tasks and what they wait for."""

    def __init__(self, limit=None):
        """At most `limit` tasks will be under way at once; None is any number."""
        refuse(TypeError, (limit is not None and type(limit) is not int, f"limit is no int: {limit!r}"))
        refuse(ValueError, (limit is not None and limit < 1, f"limit below 1: {limit}"))
        self._limit = limit
        self._tasks = {}

    def add(self, name, work, after=()):
        """Tell of a task that waits for the tasks named in `after`."""
        refuse(
            TypeError,
            (not isinstance(name, str), f"name is no str: {name!r}"),
            (not callable(work), f"work can't be called: {work!r}"),
            (isinstance(after, str), f"after is a str: {after!r}"),
        )
        names = tuple(dict.fromkeys(after))
        refuse(TypeError, (not all(isinstance(each, str) for each in names), f"after holds others than str: {names}"))
        refuse(ValueError, (not name, "name is empty"), (name in self._tasks, f"name is taken: {name}"))
        self._tasks[name] = work, names

    def __len__(self):
        """How many tasks there are."""
        return len(self._tasks)

    def plan(self):
        """The names in the order of starting one at a time."""
        return list(ordered(checked(self._tasks)))

    async def run(self):
        """Run all tasks and tell what became of them."""
        return await runner(checked(dict(self._tasks)), self._limit)()
