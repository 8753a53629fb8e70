"""Which task comes next: the standard library sorts, a heap of places chooses."""

import graphlib
import heapq

from .order import BadNameError


class CycleError(ValueError):
    """Tasks wait for each other; ``cycle`` has their names, each in front of the one that it waits for."""

    def __init__(self, cycle):
        super().__init__("tasks wait for each other in a circle: " + ", ".join(cycle))
        self.cycle = cycle


class Track:
    """The way through a graph of orders. A task that is never reported as done holds up all that are behind it."""

    def __init__(self, orders):
        _check_names(orders)
        self._names = list(orders)
        self._places = {name: place for place, name in enumerate(orders)}
        self._ready = []
        self._sorter = graphlib.TopologicalSorter({order.name: order.after for order in orders.values()})
        try:
            self._sorter.prepare()
        except graphlib.CycleError as error:
            # The library names what is waited for first, and the first name twice.
            raise CycleError(error.args[1][:0:-1]) from None

    def next(self):
        """The ready task that was added first, or None; it counts as taken."""
        for name in self._sorter.get_ready():
            heapq.heappush(self._ready, self._places[name])
        return self._names[heapq.heappop(self._ready)] if self._ready else None

    def done(self, name):
        """Open the way to those that waited for this one."""
        self._sorter.done(name)


def planned(orders):
    """All names in the order of one task at a time."""
    track, names = Track(orders), []
    while (name := track.next()) is not None:
        names.append(name)
        track.done(name)
    return names


def _check_names(orders):
    for order in orders.values():
        for name in order.after:
            if name not in orders:
                raise BadNameError(f"{order.name!r} waits for {name!r}, but there is no such task")
