"""Arithmetic expressions: `parse` reads a text once, and what it returns can be evaluated as often as you like."""

from sphinx.errors import EvaluationError, ExpressionError, ParseError
from sphinx.grammar import read
from sphinx.machine import run

__all__ = ["EvaluationError", "ExpressionError", "Formula", "ParseError", "evaluate", "parse"]


class Formula:
    """A text that has been read.

    Args:
        steps: What to do, in order.
        names: The variables in it.
    """

    def __init__(self, steps, names):
        self._steps = tuple(steps)
        self._names = frozenset(names)

    def evaluate(self, variables=None, functions=None):
        """Return the value, a float, or raise an EvaluationError."""
        return run(self._steps, variables or {}, functions or {})

    def variables(self):
        """Return the names of all variables, sorted."""
        return sorted(self._names)


def parse(text):
    """Return the formula in a text, or raise a ParseError."""
    return Formula(*read(text))


def evaluate(text, variables=None, functions=None):
    """Return the value of a text, or raise one of the two errors."""
    return parse(text).evaluate(variables, functions)
