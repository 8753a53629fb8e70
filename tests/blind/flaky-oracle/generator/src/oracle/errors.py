"""What is told when there is no answer."""


class OracleError(Exception):
    """No answer. Holds how often it was asked and what came of it."""

    def __init__(self, message, errors=()):
        super().__init__(message)
        self.errors = tuple(errors)
        self.__cause__ = self.errors[-1] if self.errors else None

    @property
    def attempts(self):
        """How many attempts reached the service."""
        return len(self.errors)


class RetriesExhaustedError(OracleError):
    """All attempts were made, and all failed."""


class DeadlineError(OracleError):
    """There is no time for another attempt."""


class CircuitOpenError(OracleError):
    """The breaker keeps everybody away."""

    def __init__(self, message, errors=(), retry_after=0):
        super().__init__(message, errors)
        self.retry_after = retry_after
