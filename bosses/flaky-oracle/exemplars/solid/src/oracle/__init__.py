"""Callers that ask again, and breakers that know when to stop."""

from oracle.breaker import Breaker
from oracle.caller import Caller
from oracle.errors import CircuitOpenError, DeadlineError, OracleError, RetriesExhaustedError

__all__ = ["Breaker", "Caller", "CircuitOpenError", "DeadlineError", "OracleError", "RetriesExhaustedError"]
