import asyncio


class CycleError(ValueError):
    cycle = []


class Scheduler:
    tasks = {}
    results = {}

    def __init__(self, limit=None):
        self.limit = limit
        self.tasks.clear()

    def add(self, name, work, after=()):
        if name in self.tasks:
            raise ValueError("name is taken")
        self.tasks[name] = [work, list(after)]

    def __len__(self):
        return len(self.tasks)

    def plan(self):
        order = []
        while len(order) < len(self.tasks):
            before = len(order)
            for name in self.tasks:
                ready = True
                for a in self.tasks[name][1]:
                    if a not in order:
                        ready = False
                if ready and name not in order:
                    order.append(name)
            if len(order) == before:
                # nobody can start
                e = CycleError("cycle")
                e.cycle = [n for n in self.tasks if n not in order]
                raise e
        return order

    async def run(self):
        self.plan()
        self.results.clear()
        left = list(self.tasks)
        while left:
            wave = [n for n in left if all(a in self.results for a in self.tasks[n][1])]
            if self.limit is not None:
                wave = wave[: self.limit]
            calls = []
            for n in wave:
                inputs = {a: self.results[a][1] for a in self.tasks[n][1]}
                calls.append(self.one(n, inputs))
            await asyncio.gather(*calls)
            left = [n for n in left if n not in wave]
        return dict(self.results)

    async def one(self, name, inputs):
        work = self.tasks[name][0]
        for a in self.tasks[name][1]:
            if self.results[a][0] != "done":
                self.results[name] = ("skipped", [a])
                return
        if asyncio.iscoroutinefunction(work):
            value = await work(inputs)
        else:
            value = work(inputs)
        self.results[name] = ("done", value)


async def demo():
    s = Scheduler(2)

    async def a(inputs):
        await asyncio.sleep(0.1)
        return "a"

    s.add("a", a)
    s.add("b", lambda inputs: inputs["a"] + "b", ["a"])
    s.add("c", lambda inputs: "c")
    print(s.plan())
    print(await s.run())


if __name__ == "__main__":
    asyncio.run(demo())
