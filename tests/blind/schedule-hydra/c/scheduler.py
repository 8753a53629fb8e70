import asyncio
import inspect


class CycleError(ValueError):
    def __init__(self, message, cycle):
        super().__init__(message)
        self.cycle = cycle


class Scheduler:
    def __init__(self, limit=None):
        if limit is not None:
            if type(limit) != int:
                raise TypeError("limit must be a number")
            if limit < 1:
                raise ValueError("limit must be at least 1")
        self.limit = limit
        self.names = []
        self.works = []
        self.afters = []

    def add(self, name, work, after=()):
        if type(name) != str:
            raise TypeError("name must be a string")
        if name == "":
            raise ValueError("name is empty")
        if name in self.names:
            raise ValueError("name is already there: " + name)
        if not callable(work):
            raise TypeError("work must be a function")
        if type(after) == str:
            raise TypeError("after must be a list")
        l = []
        for a in after:
            if type(a) != str:
                raise TypeError("after must have strings")
            if a not in l:
                l.append(a)
        self.names.append(name)
        self.works.append(work)
        self.afters.append(l)

    def __len__(self):
        return len(self.names)

    def plan(self):
        for i in range(len(self.names)):
            for a in self.afters[i]:
                if a not in self.names:
                    raise ValueError("task " + self.names[i] + " needs " + a + " but it does not exist")
        result = []
        while len(result) < len(self.names):
            found = False
            for i in range(len(self.names)):
                if self.names[i] not in result:
                    ok = True
                    for a in self.afters[i]:
                        if a not in result:
                            ok = False
                    if ok:
                        result.append(self.names[i])
                        found = True
                        break
            if found == False:
                rest = []
                for n in self.names:
                    if n not in result:
                        rest.append(n)
                raise CycleError("cycle: " + ", ".join(rest), rest)
        return result

    async def run(self):
        self.plan()
        state = {}
        running = {}
        for n in self.names:
            state[n] = None
        while True:
            # look who is finished
            for n in list(running):
                t = running[n]
                if t.done():
                    try:
                        state[n] = ("done", t.result())
                    except Exception as e:
                        state[n] = ("failed", e)
                    del running[n]
            # look who can start or must be skipped
            changed = True
            while changed:
                changed = False
                for i in range(len(self.names)):
                    n = self.names[i]
                    if state[n] is None and n not in running:
                        ok = True
                        bad = []
                        for a in self.afters[i]:
                            if state[a] is None:
                                ok = False
                            elif state[a][0] == "failed":
                                if a not in bad:
                                    bad.append(a)
                            elif state[a][0] == "skipped":
                                for x in state[a][1]:
                                    if x not in bad:
                                        bad.append(x)
                        if bad:
                            state[n] = ("skipped", bad)
                            changed = True
                        elif ok:
                            if self.limit is None or len(running) < self.limit:
                                inputs = {}
                                for a in self.afters[i]:
                                    inputs[a] = state[a][1]
                                try:
                                    r = self.works[i](inputs)
                                    if inspect.isawaitable(r):
                                        running[n] = asyncio.ensure_future(r)
                                    else:
                                        state[n] = ("done", r)
                                except Exception as e:
                                    state[n] = ("failed", e)
                                changed = True
                                break
            # are all finished?
            finished = True
            for n in self.names:
                if state[n] is None:
                    finished = False
            if finished:
                return state
            await asyncio.sleep(0.005)
