"""What can go wrong, and where."""


class ExpressionError(ValueError):
    """Something is wrong at a position."""

    def __init__(self, position, message):
        super().__init__(message)
        self.position = position


class ParseError(ExpressionError):
    """Wrong in the text."""


class EvaluationError(ExpressionError):
    """Wrong in the arithmetic."""
