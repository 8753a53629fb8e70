"""Run tasks in the order of what they wait for, several at once."""

import asyncio
import heapq
import inspect
from dataclasses import dataclass


class CycleError(ValueError):
    """Raised when tasks wait for each other in a circle. The names on it are in `cycle`."""

    def __init__(self, cycle):
        super().__init__(f"tasks wait in a circle: {cycle}")
        self.cycle = cycle


@dataclass
class _Node:
    """A task with its place in the order of adding."""

    name: str
    number: int
    work: object
    after: list


class _Graph:
    """Counts down what tasks wait for, and keeps the ready ones in the order of adding."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.names = list(nodes)
        self.missing = {}
        self.behind = {name: [] for name in nodes}
        self.ready = []
        for node in nodes.values():
            self.missing[node.name] = len(node.after)
            for name in node.after:
                if name not in nodes:
                    raise ValueError(f"{node.name} waits for {name}, which does not exist")
                self.behind[name].append(node)
            if not node.after:
                self.ready.append(node.number)

    def next_ready(self):
        """Remove and return the first ready task."""
        return self.nodes[self.names[heapq.heappop(self.ready)]]

    def finish(self, name):
        """A task is done; tasks behind it may become ready."""
        for node in self.behind[name]:
            self.missing[node.name] -= 1
            if self.missing[node.name] == 0:
                heapq.heappush(self.ready, node.number)

    def order(self):
        """Use the graph up and return the names in the order of starting."""
        order = []
        while self.ready:
            node = self.next_ready()
            order.append(node.name)
            self.finish(node.name)
        return order

    def cycle(self):
        """After `order`: a circle among the tasks that it did not reach."""
        name = next(name for name in self.names if self.missing[name])
        path = []
        seen = set()
        while name not in seen:
            seen.add(name)
            path.append(name)
            name = next(each for each in self.nodes[name].after if self.missing[each])
        return path[path.index(name):]


class Scheduler:
    """Knows tasks and what they wait for, and can plan and run them."""

    def __init__(self, limit=None):
        """No tasks yet. `limit`: how many may be under way at once (None: any number)."""
        if limit is not None:
            if not isinstance(limit, int) or isinstance(limit, bool):
                raise TypeError("limit must be an int or None")
            if limit < 1:
                raise ValueError("limit must not be below 1")
        self._limit = limit
        self._nodes = {}

    def add(self, name, work, after=()):
        """Tell of a task; what it waits for may be told later."""
        if not isinstance(name, str):
            raise TypeError("name must be a str")
        if not callable(work):
            raise TypeError("work must be callable")
        if isinstance(after, str):
            raise TypeError("after must not be a str")
        after = list(after)
        if not all(isinstance(each, str) for each in after):
            raise TypeError("after must hold only str")
        if not name:
            raise ValueError("name must not be empty")
        if name in self._nodes:
            raise ValueError(f"{name} was added before")
        self._nodes[name] = _Node(name, len(self._nodes), work, list(dict.fromkeys(after)))

    def __len__(self):
        """How many tasks there are."""
        return len(self._nodes)

    def plan(self):
        """The names in the order in which the tasks would start one at a time."""
        graph = _Graph(self._nodes)
        order = graph.order()
        if len(order) < len(self._nodes):
            raise CycleError(graph.cycle())
        return order

    async def run(self):
        """Run all tasks and return a dict of outcomes."""
        order = self.plan()
        graph = _Graph(self._nodes)
        outcomes = {}
        under_way = {}
        try:
            self._start_ready(graph, outcomes, under_way)
            while under_way:
                ended, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                for task in ended:
                    self._note(under_way.pop(task), task.result(), graph, outcomes)
                self._start_ready(graph, outcomes, under_way)
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)
        self._skip_the_rest(order, outcomes)
        return {name: outcomes[name] for name in self._nodes}

    def _start_ready(self, graph, outcomes, under_way):
        while graph.ready and (self._limit is None or len(under_way) < self._limit):
            node = graph.next_ready()
            inputs = {name: outcomes[name][1] for name in node.after}
            try:
                result = node.work(inputs)
            except Exception as error:
                self._note(node.name, ("failed", error), graph, outcomes)
                continue
            if inspect.isawaitable(result):
                under_way[asyncio.ensure_future(_outcome(result))] = node.name
            else:
                self._note(node.name, ("done", result), graph, outcomes)

    @staticmethod
    def _note(name, outcome, graph, outcomes):
        outcomes[name] = outcome
        if outcome[0] == "done":
            graph.finish(name)

    def _skip_the_rest(self, order, outcomes):
        """Whatever was not called depends on failures: gather them along the plan."""
        causes = {}
        for name in order:
            if name not in outcomes:
                causes[name] = set().union(*(causes[each] for each in self._nodes[name].after))
                names = sorted(causes[name], key=lambda each: self._nodes[each].number)
                outcomes[name] = ("skipped", names)
            else:
                causes[name] = {name} if outcomes[name][0] == "failed" else set()


async def _outcome(awaitable):
    try:
        return ("done", await awaitable)
    except Exception as error:
        return ("failed", error)
