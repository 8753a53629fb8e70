"""Runs tasks wave by wave."""

import asyncio
import inspect


class CycleError(ValueError):
    """Tasks wait for each other in a circle."""

    def __init__(self, cycle):
        super().__init__("circle among " + ", ".join(cycle))
        self.cycle = cycle


class Scheduler:
    """Knows tasks and what they wait for."""

    def __init__(self, limit=None):
        """Make a scheduler without tasks."""
        if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool)):
            raise TypeError("limit must be an int or None")
        if limit is not None and limit < 1:
            raise ValueError("limit must be 1 or more")
        self._limit = limit
        self._tasks = {}

    def add(self, name, work, after=()):
        """Tell of a task."""
        if not isinstance(name, str):
            raise TypeError("name must be a str")
        if not callable(work):
            raise TypeError("work must be callable")
        if isinstance(after, str):
            raise TypeError("after must be several names")
        after = list(dict.fromkeys(after))
        if any(not isinstance(each, str) for each in after):
            raise TypeError("after must hold names")
        if name == "" or name in self._tasks:
            raise ValueError(f"name is empty or taken: {name!r}")
        self._tasks[name] = (work, after)

    def __len__(self):
        """How many tasks there are."""
        return len(self._tasks)

    def plan(self):
        """The names in the order in which the tasks would start."""
        for name, (_, after) in self._tasks.items():
            for each in after:
                if each not in self._tasks:
                    raise ValueError(f"{name} waits for unknown {each}")
        order = []
        while len(order) < len(self._tasks):
            for name, (_, after) in self._tasks.items():
                if name not in order and all(each in order for each in after):
                    order.append(name)
                    break
            else:
                raise CycleError([name for name in self._tasks if name not in order])
        return order

    async def run(self):
        """Run all tasks and tell what became of them."""
        order = self.plan()
        gate = asyncio.Semaphore(self._limit or max(len(order), 1))
        outcomes = {}
        while len(outcomes) < len(order):
            wave = [
                name for name in order
                if name not in outcomes and all(each in outcomes for each in self._tasks[name][1])
            ]
            wave.sort(key=list(self._tasks).index)
            results = await asyncio.gather(*(self._one(name, outcomes, gate) for name in wave))
            outcomes.update(zip(wave, results))
        return {name: outcomes[name] for name in self._tasks}

    async def _one(self, name, outcomes, gate):
        work, after = self._tasks[name]
        for each in after:
            kind, value = outcomes[each]
            if kind == "failed":
                return "skipped", [each]
            if kind == "skipped":
                return "skipped", value
        async with gate:
            try:
                result = work({each: outcomes[each][1] for each in after})
                if inspect.isawaitable(result):
                    result = await result
                return "done", result
            except Exception as error:
                return "failed", error
