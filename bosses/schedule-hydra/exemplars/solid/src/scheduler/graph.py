"""Names, arrows, and the order that follows from them."""

from collections import deque


class CycleError(ValueError):
    """Tasks that wait for each other; ``cycle`` has their names in the order of waiting."""

    def __init__(self, cycle):
        super().__init__(f"circular dependency between {', '.join(cycle)}")
        self.cycle = cycle


class Progress:
    """How far one walk through a graph has come."""

    def __init__(self, parents):
        self.missing = {name: len(above) for name, above in parents.items()}
        self.children = {name: [] for name in parents}
        for name, above in parents.items():
            for parent in above:
                self.children[parent].append(name)
        self.ready = deque(name for name, count in self.missing.items() if count == 0)

    def finish(self, name):
        """Cross a task off; whoever waited for nothing else is ready now."""
        for child in self.children[name]:
            self.missing[child] -= 1
            if self.missing[child] == 0:
                self.ready.append(child)


def check(parents):
    """Refuse a graph that can't be walked through."""
    for name, above in parents.items():
        for parent in above:
            if parent not in parents:
                raise ValueError(f"{name} depends on {parent}, but there is no such task")


def walk(parents):
    """All names in an order in which they can be done."""
    check(parents)
    progress = Progress(parents)
    order = []
    while progress.ready:
        name = progress.ready.popleft()
        order.append(name)
        progress.finish(name)
    if len(order) < len(parents):
        raise CycleError(find_cycle(parents, set(parents).difference(order)))
    return order


def find_cycle(parents, stuck):
    """Follow the arrows among the stuck tasks until they come round."""
    trail = [min(stuck)]
    seen = {trail[0]: 0}
    while True:
        name = next(parent for parent in parents[trail[-1]] if parent in stuck)
        if name in seen:
            return trail[seen[name] :]
        seen[name] = len(trail)
        trail.append(name)
