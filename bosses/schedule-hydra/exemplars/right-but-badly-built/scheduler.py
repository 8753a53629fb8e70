import asyncio
import heapq
import inspect


class CycleError(ValueError):
    def __init__(self, c):
        ValueError.__init__(self, " ".join(c))
        self.cycle = c


class Scheduler:
    def __init__(self, limit=None):
        if limit is not None:
            if type(limit) is not int:
                raise TypeError(limit)
            if limit < 1:
                raise ValueError(limit)
        self.l = limit
        self.w = {}
        self.a = {}
        self.p = {}

    def add(self, name, work, after=()):
        if type(name) is not str or not callable(work) or type(after) is str:
            raise TypeError(name)
        x = []
        for y in after:
            if type(y) is not str:
                raise TypeError(y)
            if y not in set(x):
                x.append(y)
        if name == "" or name in self.w:
            raise ValueError(name)
        self.p[name] = len(self.w)
        self.w[name] = work
        self.a[name] = x

    def __len__(self):
        return len(self.w)

    def plan(self):
        return self.go(True)

    async def run(self):
        g = self.go(False)
        try:
            o = None
            while True:
                try:
                    o = g.send(o)
                except StopIteration as e:
                    return e.value
                await asyncio.wait(o, return_when=asyncio.FIRST_COMPLETED)
        finally:
            while o:
                for t in o:
                    t.cancel()
                await asyncio.wait(o)
                o = [t for t in o if not t.done()]

    def go(self, dry):
        def it():
            for n in self.a:
                for m in self.a[n]:
                    if m not in self.a:
                        raise ValueError(n + " needs " + m)
            for real in (False,) if dry else (False, True):
                c = {}
                k = {}
                h = []
                for n in self.a:
                    c[n] = len(self.a[n])
                    k.setdefault(n, [])
                    for m in self.a[n]:
                        k.setdefault(m, []).append(n)
                    if c[n] == 0:
                        heapq.heappush(h, (self.p[n], n))
                out = {}
                q = []
                act = {}
                while h or act:
                    while h and (not real or self.l is None or len(act) < self.l):
                        n = heapq.heappop(h)[1]
                        q.append(n)
                        if real:
                            i = {}
                            for m in self.a[n]:
                                i[m] = out[m][1]

                            async def f(n=n, i=i):
                                try:
                                    r = self.w[n](i)
                                    if inspect.isawaitable(r):
                                        r = await r
                                    return ("done", r)
                                except Exception as e:
                                    return ("failed", e)
                                except asyncio.CancelledError as e:
                                    return ("failed", e)

                            act[asyncio.ensure_future(f())] = n
                        else:
                            for m in k[n]:
                                c[m] -= 1
                                if c[m] == 0:
                                    heapq.heappush(h, (self.p[m], m))
                    if act:
                        yield act
                        for t in list(act):
                            if t.done():
                                n = act.pop(t)
                                out[n] = t.result()
                                if out[n][0] == "done":
                                    for m in k[n]:
                                        c[m] -= 1
                                        if c[m] == 0:
                                            heapq.heappush(h, (self.p[m], m))
                if not real:
                    order = q
                    if len(q) < len(self.a):
                        s = set(q)
                        z = [n for n in self.a if n not in s][:1]
                        while True:
                            for m in self.a[z[-1]]:
                                if m not in s:
                                    break
                            if m in z:
                                raise CycleError(z[z.index(m) :])
                            z.append(m)
            if dry:
                return order
            b = {}
            for n in order:
                b[n] = set()
                if n in out:
                    if out[n][0] == "failed":
                        b[n].add(n)
                else:
                    for m in self.a[n]:
                        b[n] |= b[m]
                    out[n] = ("skipped", sorted(b[n], key=lambda x: self.p[x]))
            return {n: out[n] for n in self.a}

        if dry:
            try:
                next(it())
            except StopIteration as e:
                return e.value
        return it()
