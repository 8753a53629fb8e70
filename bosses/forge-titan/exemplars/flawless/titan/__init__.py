"""The order book of the forge: jobs that wait, are taken, rest and are done, in a journal that survives."""

from titan.book import Titan
from titan.errors import BatchError, ConflictError, CycleError, JournalError, StaleError, TitanError

__all__ = ["BatchError", "ConflictError", "CycleError", "JournalError", "StaleError", "Titan", "TitanError"]
