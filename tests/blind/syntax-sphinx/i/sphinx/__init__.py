"""Arithmetic expressions: parse them, evaluate them, say where they break."""

from sphinx.errors import EvaluationError, ExpressionError, ParseError
from sphinx.expression import Expression, evaluate, parse

__all__ = ["EvaluationError", "Expression", "ExpressionError", "ParseError", "evaluate", "parse"]
