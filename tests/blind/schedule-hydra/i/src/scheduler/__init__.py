"""Runs tasks in the order of what they wait for."""

from .errors import CycleError, UnknownTaskError
from .facade import Scheduler

__all__ = ["CycleError", "Scheduler", "UnknownTaskError"]
