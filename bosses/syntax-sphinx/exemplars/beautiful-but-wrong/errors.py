"""The three errors, each with a position."""

from __future__ import annotations


class ExpressionError(ValueError):
    """An expression that has no value.

    Attributes:
        position: The index of the character where the trouble is.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


class ParseError(ExpressionError):
    """The text is no expression."""


class EvaluationError(ExpressionError):
    """The expression can't be computed."""
