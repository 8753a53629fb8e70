"""The errors of the oracle."""

from collections.abc import Sequence


class OracleError(Exception):
    """Base of all errors: knows how many attempts reached the service and what they raised."""

    def __init__(self, message: str = "", errors: Sequence[BaseException] = ()):
        super().__init__(message)
        self.errors = tuple(errors)
        self.__cause__ = self.errors[-1] if self.errors else None

    @property
    def attempts(self) -> int:
        """How many attempts reached the service."""
        return len(self.errors)


class RetriesExhaustedError(OracleError):
    """All attempts have failed."""


class DeadlineError(OracleError):
    """The next attempt would begin too late."""


class CircuitOpenError(OracleError):
    """A breaker has refused the call."""

    def __init__(self, message: str = "", errors: Sequence[BaseException] = (), *, retry_after: float = 0):
        super().__init__(message, errors)
        self.retry_after = retry_after

    def with_errors(self, errors: Sequence[BaseException]) -> "CircuitOpenError":
        """The same refusal, as seen by a caller who made attempts before."""
        return type(self)(str(self), errors, retry_after=self.retry_after)
