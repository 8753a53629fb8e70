"""What others use."""

from collections.abc import Callable, Mapping

from sphinx.nodes import Node, Scope
from sphinx.parser import Parser
from sphinx.tokens import Lexer


class Expression:
    """A parsed expression."""

    def __init__(self, root: Node) -> None:
        self._root = root

    def evaluate(
        self,
        variables: Mapping[str, float] | None = None,
        functions: Mapping[str, Callable[..., float]] | None = None,
    ) -> float:
        """The value, or an EvaluationError."""
        return self._root.value(Scope(variables or {}, functions or {}))

    def variables(self) -> list[str]:
        """The names of all variables, sorted."""
        return sorted(set(self._root.names()))


def parse(text: str) -> Expression:
    """Parse a text, or raise a ParseError."""
    return Expression(Parser(list(Lexer(text).tokens())).parse())


def evaluate(
    text: str,
    variables: Mapping[str, float] | None = None,
    functions: Mapping[str, Callable[..., float]] | None = None,
) -> float:
    """The value of a text."""
    return parse(text).evaluate(variables, functions)
