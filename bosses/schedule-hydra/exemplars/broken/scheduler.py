"""Scheduler, does not do much yet."""

import asyncio

TASKS = {}


class CycleError(ValueError):
    """A cycle."""


class Scheduler:
    """Runs tasks."""

    def __init__(self, limit=None):
        TASKS.clear()

    def add(self, name, work, after=()):
        TASKS[name] = work

    def plan(self):
        return sorted(TASKS)

    async def run(self):
        try:
            return await asyncio.gather(*[work() for work in TASKS.values()])
        except:
            return {}
