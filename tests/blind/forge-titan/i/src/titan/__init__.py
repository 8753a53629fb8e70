"""The order book of the forge.

errors   the refusals
batches  what a batch may be
jobs     what becomes of one job in time
book     all jobs and keys; changes come in and go out as lists
journal  lines in a file
cli      the command line
"""

from .errors import BatchError, ConflictError, CycleError, JournalError, StaleError, TitanError
from .titan import Titan

__all__ = ["BatchError", "ConflictError", "CycleError", "JournalError", "StaleError", "Titan", "TitanError"]
