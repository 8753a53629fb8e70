import asyncio


class CycleError(ValueError):
    pass


class Scheduler:
    def __init__(self, limit=None):
        self.limit = limit
        self.jobs = {}
        self.deps = {}
        self.done = {}

    def add(self, name, work, after=()):
        self.jobs[name] = work
        self.deps[name] = list(after)

    def plan(self):
        order = []

        def visit(name):
            if name in order:
                return
            for dep in self.deps[name]:
                visit(dep)
            order.append(name)

        for name in self.jobs:
            visit(name)
        return order

    async def work_on(self, name):
        # start the things we need first
        for dep in self.deps[name]:
            await self.task(dep)
        inputs = {}
        for dep in self.deps[name]:
            inputs[dep] = await self.task(dep)
        result = self.jobs[name](inputs)
        if asyncio.iscoroutine(result):
            result = await result
        return result

    def task(self, name):
        if name not in self.done:
            self.done[name] = asyncio.ensure_future(self.work_on(name))
        return self.done[name]

    async def run(self):
        self.done = {}
        result = {}
        for name in self.jobs:
            self.task(name)
        for name in self.jobs:
            result[name] = ("done", await self.task(name))
        return result

    def __len__(self):
        return len(self.jobs)
