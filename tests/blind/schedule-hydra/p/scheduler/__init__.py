"""A deterministic asyncio scheduler for tasks that depend on each other."""

from .errors import CycleError, UnknownTaskError
from .facade import Scheduler

__all__ = ["CycleError", "Scheduler", "UnknownTaskError"]
