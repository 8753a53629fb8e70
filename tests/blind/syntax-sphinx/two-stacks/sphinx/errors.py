"""Everything that can be wrong with an expression. `position` counts characters from 0."""


class ExpressionError(ValueError):
    """Trouble at one character of a text."""

    def __init__(self, message, position):
        super().__init__(f"{message} (at {position})")
        self.position = position


class ParseError(ExpressionError):
    """The text is no expression."""


class EvaluationError(ExpressionError):
    """The expression has no value."""
