"""A scheduler in which every task waits for the futures of the tasks before it."""
import asyncio
import inspect


class CycleError(ValueError):
    def __init__(self, cycle):
        ValueError.__init__(self, "cycle: " + ", ".join(cycle))
        self.cycle = cycle


class Scheduler:
    """Collects tasks with add() and runs them with run()."""

    def __init__(self, limit=None):
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int)):
            raise TypeError("limit must be an int or None")
        if limit is not None and limit < 1:
            raise ValueError("limit must be positive")
        self.limit = limit
        self.works = {}
        self.deps = {}

    def add(self, name, work, after=()):
        """Register a task."""
        if not isinstance(name, str):
            raise TypeError("name must be a string")
        if not callable(work):
            raise TypeError("work must be callable")
        if isinstance(after, str):
            raise TypeError("after must be a list of names")
        if name == "" or name in self.works:
            raise ValueError("bad name " + name)
        deps = []
        for dep in after:
            if not isinstance(dep, str):
                raise TypeError("after must be a list of names")
            if dep not in deps:
                deps.append(dep)
        self.works[name] = work
        self.deps[name] = deps

    def __len__(self):
        return len(self.works)

    def check(self):
        """Unknown names and cycles."""
        for name in self.deps:
            for dep in self.deps[name]:
                if dep not in self.deps:
                    raise ValueError(f"{name} needs unknown {dep}")
        done = set()

        def visit(name, path):
            if name in path:
                raise CycleError(path[path.index(name):])
            if name in done:
                return
            for dep in self.deps[name]:
                visit(dep, path + [name])
            done.add(name)

        for name in self.deps:
            visit(name, [])

    def plan(self):
        """Order of execution."""
        self.check()
        order = []
        while len(order) < len(self.works):
            for name in self.works:
                if name not in order and all(dep in order for dep in self.deps[name]):
                    order.append(name)
                    break
        return order

    async def run(self):
        """Run all tasks, returns a dict name -> (status, value)."""
        self.check()
        loop = asyncio.get_running_loop()
        futures = {name: loop.create_future() for name in self.works}
        gate = asyncio.Semaphore(self.limit or len(self.works) or 1)

        async def execute(name):
            inputs = {}
            causes = []
            for dep in self.deps[name]:
                status, value = await futures[dep]
                if status == "done":
                    inputs[dep] = value
                elif status == "failed":
                    causes.append(dep)
                else:
                    causes.extend(value)
            if causes:
                futures[name].set_result(("skipped", causes))
                return
            async with gate:
                try:
                    result = self.works[name](inputs)
                    if inspect.isawaitable(result):
                        result = await result
                    outcome = ("done", result)
                except Exception as e:
                    outcome = ("failed", e)
            futures[name].set_result(outcome)

        tasks = [asyncio.create_task(execute(name)) for name in self.works]
        try:
            await asyncio.gather(*tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            raise
        return {name: futures[name].result() for name in self.works}
