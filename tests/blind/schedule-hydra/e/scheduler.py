"""Runs tasks in the order of what they wait for."""

import asyncio
import inspect


class CycleError(ValueError):
    """Tasks wait for each other in a circle."""


class Scheduler:
    """Knows tasks and what they wait for."""

    results = {}

    def __init__(self, limit=None):
        """Make a scheduler without tasks."""
        if limit is not None and limit < 1:
            raise ValueError("limit must be at least 1")
        self._limit = limit  # TODO: use it
        self._tasks = {}

    def add(self, name, work, after=()):
        """Tell of a task."""
        if not isinstance(name, str) or not callable(work):
            raise TypeError("name must be a str and work must be callable")
        if not name or name in self._tasks:
            raise ValueError("name is empty or taken")
        self._tasks[name] = (work, list(after))

    def __len__(self):
        """How many tasks there are."""
        return len(self._tasks)

    def plan(self):
        """The names in the order in which the tasks would start."""
        order = []
        while True:
            ready = [
                name
                for name, (work, after) in self._tasks.items()
                if name not in order and all(each in order for each in after)
            ]
            if not ready:
                # TODO: CycleError if some are left
                return order
            order.append(ready[0])

    async def run(self):
        """Run all tasks and tell what became of them."""
        going = {}
        for name in self.plan():
            work, after = self._tasks[name]
            # TODO: wait until the tasks in after are done
            inputs = {each: self.results.get(each) for each in after}
            result = work(inputs)
            if inspect.isawaitable(result):
                going[name] = asyncio.ensure_future(result)
            else:
                self.results[name] = result
        for name, task in going.items():
            self.results[name] = await task
        # TODO: failed and skipped
        return {name: ("done", self.results[name]) for name in self._tasks}
