"""How calls end that get no answer."""


class OracleError(Exception):
    """No answer; ``errors`` are what the attempts raised."""

    def __init__(self, errors=(), words="no answer"):
        super().__init__(f"{words} after {len(errors)} attempts")
        self.errors = tuple(errors)

    @property
    def attempts(self):
        """How many attempts reached the service."""
        return len(self.errors)


class RetriesExhaustedError(OracleError):
    """Asked as often as allowed."""


class DeadlineError(OracleError):
    """No time left."""


class CircuitOpenError(OracleError):
    """Kept away by a breaker."""

    def __init__(self, retry_after, errors=()):
        super().__init__(errors, "circuit open")
        self.retry_after = retry_after
