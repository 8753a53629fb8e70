"""Arithmetic expressions with exact places for errors."""

from .check import check
from .compute import Scope, value
from .errors import EvaluationError, ExpressionError, ParseError
from .parser import Parser
from .tree import Name, leaves

__all__ = ["EvaluationError", "Expression", "ExpressionError", "ParseError", "evaluate", "parse"]


class Expression:
    """A parsed expression."""

    def __init__(self, tree):
        self._tree = tree

    def variables(self):
        """The names of all variables, sorted, each once."""
        return sorted({leaf.name for leaf in leaves(self._tree) if isinstance(leaf, Name)})

    def evaluate(self, variables=None, functions=None):
        """The value, or an EvaluationError at the first trouble, read from left to right."""
        scope = Scope(variables or {}, functions or {})
        check(self._tree, scope)
        return value(self._tree, scope)


def parse(text):
    """The expression in a text, or a ParseError."""
    return Expression(Parser(text).parse())


def evaluate(text, variables=None, functions=None):
    """The value of a text."""
    return parse(text).evaluate(variables, functions)
