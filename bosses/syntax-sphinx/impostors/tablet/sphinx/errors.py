"""What can go wrong."""


class ExpressionError(ValueError):
    """An expression has no value; `position` is the index of the character to blame."""

    def __init__(self, position, reason):
        super().__init__(f"{reason}, at {position}")
        self.position = position


class ParseError(ExpressionError):
    """The text is not an expression."""


class EvaluationError(ExpressionError):
    """The expression can't be computed."""
