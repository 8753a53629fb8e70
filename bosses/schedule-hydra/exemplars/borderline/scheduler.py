"""Dependency scheduler: runs level after level."""

import asyncio
import inspect


class CycleError(ValueError):
    def __init__(self, cycle):
        super().__init__("cycle: " + ", ".join(cycle))
        self.cycle = cycle


class Scheduler:
    def __init__(self, limit=None):
        if limit is not None and limit < 1:
            raise ValueError("limit")
        self.limit = limit
        self.tasks = {}

    def add(self, name, work, after=()):
        if not name or name in self.tasks:
            raise ValueError("bad name " + str(name))
        self.tasks[name] = (work, list(dict.fromkeys(after)))

    def levels(self):
        for name, (work, after) in self.tasks.items():
            for other in after:
                if other not in self.tasks:
                    raise ValueError(f"{name} needs unknown {other}")
        placed = set()
        levels = []
        while len(placed) < len(self.tasks):
            level = [n for n in self.tasks if n not in placed and all(a in placed for a in self.tasks[n][1])]
            if not level:
                raise CycleError([n for n in self.tasks if n not in placed])
            levels.append(level)
            placed.update(level)
        return levels

    def plan(self):
        return [name for level in self.levels() for name in level]

    async def run(self):
        levels = self.levels()
        semaphore = asyncio.Semaphore(self.limit or len(self.tasks) or 1)
        outcomes = {}

        async def one(name):
            work, after = self.tasks[name]
            bad = []
            for other in after:
                state, value = outcomes[other]
                if state == "failed":
                    bad.append(other)
                elif state == "skipped":
                    bad.extend(value)
            if bad:
                outcomes[name] = ("skipped", bad)
                return
            async with semaphore:
                try:
                    result = work({other: outcomes[other][1] for other in after})
                    if inspect.isawaitable(result):
                        result = await result
                    outcomes[name] = ("done", result)
                except Exception as error:
                    outcomes[name] = ("failed", error)

        for level in levels:
            await asyncio.gather(*[one(name) for name in level], return_exceptions=True)
        return {name: outcomes[name] for name in self.tasks}

    def __len__(self):
        return len(self.tasks)
