"""The order book of the forge, told in events."""

from titan.book import Titan
from titan.errors import BatchError, ConflictError, CycleError, JournalError, StaleError, TitanError

__all__ = ["BatchError", "ConflictError", "CycleError", "JournalError", "StaleError", "Titan", "TitanError"]
