"""Dependency scheduling with callbacks: each end starts what it made possible."""

import asyncio
import heapq
from collections import namedtuple
from functools import partial

Node = namedtuple("Node", "number name work needs")
"""A task: when it was added, its name, what to call, and the names it needs."""


class CycleError(ValueError):
    """Some tasks need each other; see ``cycle``."""


class Scheduler:
    """Holds nodes; all the rest is functions."""

    def __init__(self, limit=None):
        """A scheduler for at most ``limit`` tasks at once."""
        if not (limit is None or type(limit) is int):
            raise TypeError(f"not a limit: {limit!r}")
        if limit is not None and limit <= 0:
            raise ValueError(f"not a limit: {limit}")
        self.limit = limit
        self.nodes = {}

    def add(self, name, work, after=()):
        """Add a task that needs the results of others."""
        if isinstance(after, str) or not isinstance(name, str):
            raise TypeError("name is a str, and after is not")
        needs = tuple(dict.fromkeys(after))
        if any(not isinstance(need, str) for need in needs):
            raise TypeError("after holds names")
        if not callable(work):
            raise TypeError("work has to be callable")
        if name in self.nodes or not name:
            raise ValueError(f"not a new name: {name!r}")
        self.nodes[name] = Node(len(self.nodes), name, work, needs)

    def plan(self):
        """Names in the order of a run with one task at a time."""
        agenda = Agenda(self.nodes)
        order = [node.name for node in agenda.drain()]
        if len(order) != len(self.nodes):
            raise circle_among(self.nodes, order)
        return order

    async def run(self):
        """Run all tasks and tell how each one went."""
        order = self.plan()
        performance = Performance(self.nodes, self.limit)
        try:
            performance.proceed()
            await performance.over
        except asyncio.CancelledError:
            performance.close()
            raise
        return verdicts(self.nodes, order, performance.ended)

    def __len__(self):
        """The number of tasks."""
        return len(self.nodes)


class Agenda:
    """What can be started, the earliest added first."""

    def __init__(self, nodes):
        """Check the names and find out who can begin."""
        self.open = {}
        self.needed_by = {name: [] for name in nodes}
        for node in nodes.values():
            for need in node.needs:
                if need not in nodes:
                    raise ValueError(f"{node.name} needs {need}, which does not exist")
                self.needed_by[need].append(node)
            self.open[node.name] = len(node.needs)
        self.startable = [node for node in nodes.values() if not node.needs]

    def finish(self, node):
        """Note an end, and who can start because of it."""
        for other in self.needed_by[node.name]:
            self.open[other.name] -= 1
            if not self.open[other.name]:
                heapq.heappush(self.startable, other)

    def drain(self):
        """All nodes in order, each finished as soon as it is given."""
        while self.startable:
            node = heapq.heappop(self.startable)
            yield node
            self.finish(node)


class Performance:
    """One run. Ends arrive by callback."""

    def __init__(self, nodes, limit):
        """Nothing has begun."""
        self.agenda = Agenda(nodes)
        self.places = limit or len(nodes)
        self.futures = set()
        self.ended = {}
        self.closed = False
        self.over = asyncio.get_running_loop().create_future()

    def proceed(self):
        """Start what can be started; if nothing runs after that, it is over."""
        while self.agenda.startable and len(self.futures) < self.places:
            node = heapq.heappop(self.agenda.startable)
            inputs = {need: self.ended[need][1] for need in node.needs}
            future = asyncio.ensure_future(call(node.work, inputs))
            self.futures.add(future)
            future.add_done_callback(partial(self.end, node))
        if not self.futures and not self.over.done():
            self.over.set_result(None)

    def end(self, node, future):
        """A task has come to its end."""
        self.futures.discard(future)
        if self.closed:
            return
        error = asyncio.CancelledError() if future.cancelled() else future.exception()
        if error is None:
            kind, value = future.result()
            self.ended[node.name] = (kind, value)
            if kind == "done":
                self.agenda.finish(node)
        self.proceed()

    def close(self):
        """Cancel everything that still runs."""
        self.closed = True
        for future in self.futures:
            future.cancel()


async def call(work, inputs):
    """The outcome of one call."""
    try:
        result = work(inputs)
        if hasattr(result, "__await__"):
            result = await result
    except (Exception, asyncio.CancelledError) as error:
        return "failed", error
    return "done", result


def verdicts(nodes, order, ended):
    """Outcomes of all tasks; those that never ran are put down to the failures before them."""
    guilty = {}
    for name in order:
        if name in ended:
            guilty[name] = {nodes[name]} if ended[name][0] == "failed" else set()
        else:
            guilty[name] = set().union(*(guilty[need] for need in nodes[name].needs))
    told = {name: ("skipped", [node.name for node in sorted(guilty[name])]) for name in nodes}
    return told | ended


def circle_among(nodes, order):
    """The error for a circle among the nodes that are not in the order."""
    rest = nodes.keys() - order
    seen, name = [], min(rest)
    while name not in seen:
        seen.append(name)
        name = next(need for need in nodes[name].needs if need in rest)
    cycle = seen[seen.index(name) :]
    error = CycleError("these need each other: " + ", ".join(cycle))
    error.cycle = cycle
    return error
