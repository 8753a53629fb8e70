"""The face of the sphinx: parse and evaluate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arithmetic import Function
from errors import EvaluationError, ExpressionError, ParseError
from grammar import Climber, Node

__all__ = ["EvaluationError", "Expression", "ExpressionError", "ParseError", "evaluate", "parse"]


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression."""

    root: Node

    def evaluate(
        self, variables: Mapping[str, float] | None = None, functions: Mapping[str, Function] | None = None
    ) -> float:
        """The value; an EvaluationError if there is none."""
        return self.root.value(variables or {}, functions or {})

    def variables(self) -> list[str]:
        """The names of all variables, sorted."""
        return sorted(set(self.root.names()))


def parse(text: str) -> Expression:
    """Parse a text; a ParseError if it is no expression."""
    return Expression(Climber(text).whole())


def evaluate(
    text: str, variables: Mapping[str, float] | None = None, functions: Mapping[str, Function] | None = None
) -> float:
    """The value of a text."""
    return parse(text).evaluate(variables, functions)
