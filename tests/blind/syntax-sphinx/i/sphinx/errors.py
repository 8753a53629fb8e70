"""The errors of the library."""


class ExpressionError(ValueError):
    """Something is wrong with an expression, at the character `position`."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at character {position})")
        self.message = message
        self.position = position


class ParseError(ExpressionError):
    """The text is not an expression."""


class EvaluationError(ExpressionError):
    """The expression has no value."""
