"""Arithmetic for strangers: parse(text), evaluate(text, variables, functions)."""

from .errors import EvaluationError, ExpressionError, ParseError
from .yard import parse

__all__ = ["EvaluationError", "ExpressionError", "ParseError", "evaluate", "parse"]


def evaluate(text, variables=None, functions=None):
    """The value of an expression."""
    return parse(text).evaluate(variables, functions)
