"""Parse and evaluate arithmetic expressions."""

from sphinx.errors import EvaluationError, ExpressionError, ParseError
from sphinx.rules import Rules
from sphinx.tree import Expression

__all__ = ["EvaluationError", "Expression", "ExpressionError", "ParseError", "evaluate", "parse"]


def parse(text):
    """The expression in a text; a ParseError if it is none."""
    return Expression(Rules(text).read())


def evaluate(text, variables=None, functions=None):
    """The value of a text."""
    return parse(text).evaluate(variables, functions)
