"""What can go wrong."""


class ExpressionError(ValueError):
    """An expression without a value; position is the index of the character where the trouble is."""

    def __init__(self, message, position):
        super().__init__(f"{message} at {position}")
        self.position = position


class ParseError(ExpressionError):
    """The text is no expression."""


class EvaluationError(ExpressionError):
    """The expression can't be computed."""
