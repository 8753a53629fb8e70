"""The order book of the forge."""

from titan.errors import BatchError, ConflictError, CycleError, JournalError, StaleError, TitanError
from titan.service import Titan

__all__ = ["BatchError", "ConflictError", "CycleError", "JournalError", "StaleError", "Titan", "TitanError"]
