"""Asking a service that is not always in."""

from .asking import Caller
from .errors import CircuitOpenError, DeadlineError, OracleError, RetriesExhaustedError
from .fuse import Breaker

__all__ = ["Breaker", "Caller", "CircuitOpenError", "DeadlineError", "OracleError", "RetriesExhaustedError"]
