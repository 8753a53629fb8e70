"""Runs tasks as soon as what they wait for is done. No task of asyncio is made for waiting; ends call back."""

import asyncio
import heapq
from functools import partial


class CycleError(ValueError):
    """Tasks wait for each other in a circle; `cycle` holds their names."""

    def __init__(self, cycle):
        super().__init__("circle: " + " -> ".join([*cycle, cycle[0]]))
        self.cycle = cycle


class _Head:
    """One task as it was told."""

    __slots__ = ("after", "name", "place", "work")

    def __init__(self, place, name, work, after):
        self.place, self.name, self.work, self.after = place, name, work, after


class _Front:
    """What is ready, the first added first; shared by plan and by runs."""

    def __init__(self, heads):
        self.heads = heads
        self.open = {name: len(head.after) for name, head in heads.items()}
        self.followers = {name: [] for name in heads}
        for head in heads.values():
            for name in head.after:
                self.followers[name].append(head)
        self._heap = [(head.place, head.name) for head in heads.values() if not head.after]
        heapq.heapify(self._heap)

    def __bool__(self):
        return bool(self._heap)

    def pop(self):
        """Take the ready head that was added first."""
        return self.heads[heapq.heappop(self._heap)[1]]

    def close(self, name):
        """A head has come to its end (whichever): what followed only it is ready now."""
        for head in self.followers[name]:
            self.open[head.name] -= 1
            if not self.open[head.name]:
                heapq.heappush(self._heap, (head.place, head.name))


class _Run:
    """Everything that changes while a scheduler runs."""

    def __init__(self, heads, limit):
        self.heads = heads
        self.limit = limit
        self.front = _Front(heads)
        self.outcomes = {}
        self.causes = {}
        self.alive = {}
        self.closing = False
        self.over = asyncio.get_running_loop().create_future()

    def advance(self):
        """Start what can be started; tell when nothing is left."""
        while self.front and (self.limit is None or len(self.alive) < self.limit):
            head = self.front.pop()
            blamed = set().union(*(self.causes.get(name, ()) for name in head.after))
            if blamed:
                self._skip(head, blamed)
            else:
                self._start(head)
        if not self.alive and not self.over.done():
            self.over.set_result(None)

    def _skip(self, head, blamed):
        self.causes[head.name] = blamed
        names = sorted(blamed, key=lambda name: self.heads[name].place)
        self.outcomes[head.name] = ("skipped", names)
        self.front.close(head.name)

    def _start(self, head):
        try:
            result = head.work({name: self.outcomes[name][1] for name in head.after})
        except (Exception, asyncio.CancelledError) as error:
            self._fail(head, error)
            return
        if asyncio.iscoroutine(result) or asyncio.isfuture(result):
            future = asyncio.ensure_future(result)
            self.alive[head.name] = future
            future.add_done_callback(partial(self._ended, head))
        else:
            self._finish(head, result)

    def _ended(self, head, future):
        del self.alive[head.name]
        if self.closing:
            if not future.cancelled():
                future.exception()
            return
        try:
            self._finish(head, future.result())
        except (Exception, asyncio.CancelledError) as error:
            self._fail(head, error)
        self.advance()

    def _finish(self, head, result):
        self.outcomes[head.name] = ("done", result)
        self.front.close(head.name)

    def _fail(self, head, error):
        self.outcomes[head.name] = ("failed", error)
        self.causes[head.name] = {head.name}
        self.front.close(head.name)

    async def abort(self):
        """Cancel what is alive and wait for its end."""
        self.closing = True
        rest = list(self.alive.values())
        for future in rest:
            future.cancel()
        await asyncio.gather(*rest, return_exceptions=True)


class Scheduler:
    """Tasks, what they wait for, and how many may be under way at once."""

    def __init__(self, limit=None):
        """Limit is an int from 1, or None for any number of tasks."""
        if limit is not None:
            if type(limit) is not int:
                raise TypeError("limit must be an int or None")
            if limit < 1:
                raise ValueError("limit must be 1 or more")
        self._limit = limit
        self._heads = {}

    def add(self, name, work, after=()):
        """Tell of a task: its name, what to call, and the names it waits for."""
        if not isinstance(name, str) or not callable(work) or isinstance(after, str):
            raise TypeError("add needs a str, something to call, and names")
        names = list(dict.fromkeys(after))
        if not all(isinstance(other, str) for other in names):
            raise TypeError("after must hold names")
        if not name or name in self._heads:
            raise ValueError(f"the name {name!r} is empty or taken")
        self._heads[name] = _Head(len(self._heads), name, work, names)

    def __len__(self):
        """How many tasks there are."""
        return len(self._heads)

    def plan(self):
        """All names in the order of one at a time; refuses unknown names and circles."""
        for head in self._heads.values():
            for name in head.after:
                if name not in self._heads:
                    raise ValueError(f"{head.name!r} waits for {name!r}, which nobody added")
        front, order = _Front(self._heads), []
        while front:
            order.append(front.pop().name)
            front.close(order[-1])
        if len(order) < len(self._heads):
            raise CycleError(self._circle(set(order)))
        return order

    def _circle(self, placed):
        name = next(name for name in self._heads if name not in placed)
        way = {}
        while name not in way:
            way[name] = len(way)
            name = next(other for other in self._heads[name].after if other not in placed)
        return list(way)[way[name]:]

    async def run(self):
        """Run everything; tells of each name ("done", result), ("failed", error) or ("skipped", names)."""
        self.plan()
        run = _Run(self._heads, self._limit)
        run.advance()
        try:
            await run.over
        except asyncio.CancelledError:
            await run.abort()
            raise
        return {name: run.outcomes[name] for name in self._heads}
