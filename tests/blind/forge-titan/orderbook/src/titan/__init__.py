"""The order book of the forge: jobs over one journal."""

from .book import BatchError, ConflictError, CycleError, StaleError, TitanError
from .journal import JournalError
from .office import Titan

__all__ = ["BatchError", "ConflictError", "CycleError", "JournalError", "StaleError", "Titan", "TitanError"]
