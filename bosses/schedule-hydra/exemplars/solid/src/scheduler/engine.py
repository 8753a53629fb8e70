"""The scheduler, and one run of it."""

import asyncio
import inspect

from .graph import Progress, walk


class Scheduler:
    """Tasks by name. Tell it all of them, then run."""

    def __init__(self, limit=None):
        if limit is not None and type(limit) is not int:
            raise TypeError("limit must be a whole number or None")
        if limit is not None and limit < 1:
            raise ValueError("limit must be at least 1")
        self.limit = limit
        self._works = {}
        self._parents = {}

    def add(self, name, work, after=()):
        """Add a task that starts after others."""
        parents = checked_names(after)
        if not isinstance(name, str) or not callable(work):
            raise TypeError("a task has a name and something to call")
        if name == "" or name in self._works:
            raise ValueError(f"the name {name!r} is empty or taken")
        self._works[name] = work
        self._parents[name] = parents

    def plan(self):
        """The order in which the tasks run one at a time."""
        return walk(self._parents)

    async def run(self):
        """Run everything; outcomes by name."""
        self.plan()
        return await Run(self._works, self._parents, self.limit).play()

    def __len__(self):
        return len(self._works)


def checked_names(after):
    """The names in after, each once."""
    if isinstance(after, str):
        raise TypeError("after is a collection of names, not one name")
    names = list(dict.fromkeys(after))
    if not all(isinstance(name, str) for name in names):
        raise TypeError("after holds names only")
    return names


class Run:
    """Everything that changes while tasks run."""

    def __init__(self, works, parents, limit):
        self.works = works
        self.parents = parents
        self.limit = limit or len(works)
        self.progress = Progress(parents)
        self.outcomes = {}
        self.active = {}

    async def play(self):
        """Start and note until nothing is left."""
        try:
            self.fill()
            while self.active:
                finished, _ = await asyncio.wait(self.active, return_when=asyncio.FIRST_COMPLETED)
                for task in finished:
                    self.note(self.active.pop(task), task.result())
                self.fill()
        finally:
            await self.stop()
        return {name: self.outcomes[name] for name in self.works}

    def fill(self):
        """Give the free places to whoever is ready."""
        while self.progress.ready and len(self.active) < self.limit:
            name = self.progress.ready.popleft()
            culprit = self.culprit(name)
            if culprit:
                self.note(name, ("skipped", [culprit]))
            else:
                inputs = {parent: self.outcomes[parent][1] for parent in self.parents[name]}
                self.active[asyncio.create_task(perform(self.works[name], inputs))] = name

    def culprit(self, name):
        """The failed task because of which this one can't run, if there is one."""
        for parent in self.parents[name]:
            state, value = self.outcomes[parent]
            if state == "failed":
                return parent
            if state == "skipped":
                return value[0]
        return None

    def note(self, name, outcome):
        """Keep an outcome, and let the next ones come."""
        self.outcomes[name] = outcome
        self.progress.finish(name)

    async def stop(self):
        """Cancel what is still active and wait for its end."""
        for task in self.active:
            task.cancel()
        if self.active:
            await asyncio.wait(self.active)


async def perform(work, inputs):
    """Do the work, and tell how it went."""
    try:
        value = work(inputs)
        if inspect.isawaitable(value):
            value = await value
    except (Exception, asyncio.CancelledError) as error:
        return "failed", error
    return "done", value
