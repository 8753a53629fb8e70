"""A switchyard for asyncio: tasks that wait for others, and run as soon as they can."""

from .track import CycleError
from .yard import Scheduler

__all__ = ["CycleError", "Scheduler"]
