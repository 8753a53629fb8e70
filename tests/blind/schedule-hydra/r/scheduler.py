import asyncio
import inspect


class CycleError(ValueError):
    def __init__(self, cycle):
        ValueError.__init__(self, "cycle found: " + " -> ".join(cycle))
        self.cycle = cycle


class Scheduler:
    def __init__(self, limit=None):
        if limit is not None:
            if type(limit) != int:
                raise TypeError("limit must be an int")
            if limit < 1:
                raise ValueError("limit must be 1 or more")
        self.limit = limit
        self.names = []
        self.works = {}
        self.afters = {}

    def add(self, name, work, after=()):
        if type(name) != str:
            raise TypeError("name must be a str")
        if name == "":
            raise ValueError("name is empty")
        if name in self.names:
            raise ValueError("name is already taken: " + name)
        if not callable(work):
            raise TypeError("work must be callable")
        if type(after) == str:
            raise TypeError("after must not be a str")
        deps = []
        for a in after:
            if type(a) != str:
                raise TypeError("after must hold only str")
            if a not in deps:
                deps.append(a)
        self.names.append(name)
        self.works[name] = work
        self.afters[name] = deps

    def __len__(self):
        return len(self.names)

    def plan(self):
        # check unknown names
        for name in self.names:
            for dep in self.afters[name]:
                if dep not in self.names:
                    raise ValueError(name + " waits for " + dep + " but there is no such task")
        order = []
        rest = list(self.names)
        while rest:
            found = None
            for name in rest:
                ok = True
                for dep in self.afters[name]:
                    if dep not in order:
                        ok = False
                if ok:
                    found = name
                    break
            if found is None:
                # nothing can start, so there is a cycle. walk until we see a name again
                path = []
                current = rest[0]
                while current not in path:
                    path.append(current)
                    for dep in self.afters[current]:
                        if dep in rest:
                            current = dep
                            break
                raise CycleError(path[path.index(current):])
            order.append(found)
            rest.remove(found)
        return order

    async def run(self):
        self.plan()
        results = {}
        running = {}
        waiting = list(self.names)
        while waiting or running:
            # look which tasks have ended
            for name in list(running):
                if running[name].done():
                    try:
                        results[name] = ("done", running[name].result())
                    except Exception as e:
                        results[name] = ("failed", e)
                    del running[name]
            # start new tasks
            for name in list(waiting):
                ready = True
                bad = []
                for dep in self.afters[name]:
                    if dep not in results:
                        ready = False
                    elif results[dep][0] == "failed":
                        bad.append(dep)
                    elif results[dep][0] == "skipped":
                        for b in results[dep][1]:
                            if b not in bad:
                                bad.append(b)
                if not ready:
                    continue
                if bad:
                    results[name] = ("skipped", sorted(bad, key=self.names.index))
                    waiting.remove(name)
                    continue
                if self.limit is not None and len(running) >= self.limit:
                    break
                inputs = {}
                for dep in self.afters[name]:
                    inputs[dep] = results[dep][1]
                waiting.remove(name)
                try:
                    r = self.works[name](inputs)
                    if inspect.isawaitable(r):
                        running[name] = asyncio.ensure_future(r)
                    else:
                        results[name] = ("done", r)
                except Exception as e:
                    results[name] = ("failed", e)
            await asyncio.sleep(0.001)
        return {name: results[name] for name in self.names}
