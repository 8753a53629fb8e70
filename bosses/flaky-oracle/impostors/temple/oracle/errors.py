"""What is raised when a call is given up."""


class OracleError(Exception):
    """A call was given up; ``attempts`` reached the service, and ``errors`` is what they raised."""

    def __init__(self, message, errors=()):
        super().__init__(message)
        self.errors = tuple(errors)

    @property
    def attempts(self):
        """How many attempts reached the service."""
        return len(self.errors)


class RetriesExhaustedError(OracleError):
    """No attempt is left."""


class DeadlineError(OracleError, TimeoutError):
    """No time is left."""


class CircuitOpenError(OracleError):
    """A breaker is in the way, for ``retry_after`` seconds."""

    def __init__(self, message, retry_after, errors=()):
        super().__init__(message, errors)
        self.retry_after = retry_after


def last_of(errors):
    """The cause of an error that holds these, or None."""
    return errors[-1] if errors else None
