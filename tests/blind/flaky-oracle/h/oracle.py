"""Facade of the package `well`."""

from well.circuit import Breaker
from well.errors import CircuitOpenError, DeadlineError, OracleError, RetriesExhaustedError
from well.retrying import Caller

__all__ = ["Breaker", "Caller", "CircuitOpenError", "DeadlineError", "OracleError", "RetriesExhaustedError"]
