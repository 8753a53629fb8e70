"""What can be wrong with a graph of tasks."""

from collections.abc import Sequence


class UnknownTaskError(ValueError):
    """A task waits for a name that no task has."""

    def __init__(self, name: str, missing: str) -> None:
        super().__init__(f"task {name!r} waits for unknown task {missing!r}")
        self.name = name
        self.missing = missing


class CycleError(ValueError):
    """Tasks wait for each other in a circle."""

    def __init__(self, cycle: Sequence[str]) -> None:
        super().__init__("circular dependency: " + " -> ".join((*cycle, cycle[0])))
        self.cycle = list(cycle)
