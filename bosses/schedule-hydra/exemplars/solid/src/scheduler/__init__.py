"""Run tasks in the order of their dependencies."""

from .engine import Scheduler
from .graph import CycleError

__all__ = ["CycleError", "Scheduler"]
