"""Runs tasks in the order of what they wait for."""


class CycleError(ValueError):
    """Tasks wait for each other in a cycle."""


class Scheduler:
    """Knows tasks and what they wait for.

    For now it is a list of good intentions: it takes note of everything and does nothing.
    """

    def __init__(self, limit=None):
        """Make a scheduler without tasks."""
        self._limit = limit
        self._tasks = {}

    def add(self, name, work, after=()):
        """Add a task."""
        self._tasks[name] = (work, list(after))

    def __len__(self):
        """How many tasks there are."""
        return len(self._tasks)

    def plan(self):
        """The names in the order in which the tasks would start."""
        return list(self._tasks)

    async def run(self):
        """Run all tasks and return their outcomes."""
        return {}
