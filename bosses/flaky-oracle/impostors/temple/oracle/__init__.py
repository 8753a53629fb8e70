"""An oracle that is not always in: how to ask it again, and when to leave it alone."""

from .breaker import Breaker
from .caller import Caller
from .errors import CircuitOpenError, DeadlineError, OracleError, RetriesExhaustedError

__all__ = ["Breaker", "Caller", "CircuitOpenError", "DeadlineError", "OracleError", "RetriesExhaustedError"]
