"""Expressions of plain data: the parts of a step or an outcome that need no program."""

import ast
from typing import Any, cast

from evalforge.evidence.claims.claim_steps import ClaimError, parse_statement
from evalforge.evidence.claims.data import BINARY, COMPARISONS, CONSTRUCTORS, UNARY, bounded
from evalforge.model.text import clean_line


class Expressions:
    """Evaluates expressions. Subclasses resolve the names, attributes and calls of a program."""

    def value(self, node: ast.expr) -> Any:
        """Evaluate an expression.

        Raises:
            ClaimError: The expression isn't in the language of claims.
        """
        match node:
            case ast.Constant(value=value) if value is not Ellipsis and not isinstance(value, complex):
                return value
            case ast.Name():
                return self.named(node.id)
            case ast.Tuple() | ast.List() | ast.Set() | ast.Dict():
                return bounded(self._collection(node))
            case ast.UnaryOp() if type(node.op) in UNARY:
                return UNARY[type(node.op)](self.value(node.operand))
            case ast.BinOp():
                return self.combined(node.op, self.value(node.left), self.value(node.right))
            case ast.Compare(ops=[comparison], comparators=[other]):
                return self.compared(comparison, self.value(node.left), self.value(other))
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return self.value(node.value)[self._index(node.slice)]
            case ast.Call() if all(keyword.arg for keyword in node.keywords):
                args = [self.value(arg) for arg in node.args]
                return self.called(
                    node.func, args, {str(keyword.arg): self.value(keyword.value) for keyword in node.keywords}
                )
            case _:
                raise refusal(node)

    def _collection(self, node: ast.Tuple | ast.List | ast.Set | ast.Dict) -> Any:
        if isinstance(node, ast.Dict):
            if None in node.keys:
                raise refusal(node)
            keys = cast("list[ast.expr]", node.keys)
            return {self.value(key): self.value(value) for key, value in zip(keys, node.values, strict=True)}
        items = [self.value(item) for item in node.elts]
        return tuple(items) if isinstance(node, ast.Tuple) else set(items) if isinstance(node, ast.Set) else items

    def _index(self, node: ast.expr) -> Any:
        if not isinstance(node, ast.Slice):
            return self.value(node)
        return slice(*(self.value(part) if part else None for part in (node.lower, node.upper, node.step)))

    def combined(self, kind: ast.operator, left: Any, right: Any) -> Any:
        """The result of an operator on two values.

        Raises:
            ClaimError: Claims can't use the operator, or the result is too large.
        """
        if type(kind) not in BINARY:
            raise ClaimError(f"{type(kind).__name__} is not an operation that claims may use")
        return bounded(BINARY[type(kind)](left, right))

    def compared(self, kind: ast.cmpop, left: Any, right: Any) -> Any:
        """The result of comparing two values."""
        return COMPARISONS[type(kind)](left, right)

    def named(self, name: str) -> Any:
        """The value of a name; refused without a program.

        Raises:
            ClaimError: The name is unknown.
        """
        raise ClaimError(f"nothing is called {clean_line(name, 60)}")

    def attribute(self, node: ast.Attribute) -> Any:
        """The value of an attribute; refused without a program.

        Raises:
            ClaimError: The attribute can't be used.
        """
        raise refusal(node)

    def called(self, function: ast.expr, args: list[Any], keywords: dict[str, Any]) -> Any:
        """The result of a call; only constructors of plain data are allowed here.

        Raises:
            ClaimError: The function can't be called.
        """
        name = ast.unparse(function)
        if name not in CONSTRUCTORS:
            raise ClaimError(f"{clean_line(name, 60)} can't be called")
        return CONSTRUCTORS[name](*args, **keywords)


def refusal(node: ast.AST) -> ClaimError:
    """The error for a node that isn't in the language."""
    return ClaimError(f"{clean_line(ast.unparse(node), 80)} isn't in the language of claims")


PROBLEMS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The exceptions that evaluating an expression may raise if its values don't fit together."""


def data_value(text: str) -> Any:
    """Evaluate an expression of plain data.

    Raises:
        ClaimError: The text isn't one.
    """
    statement = parse_statement(text)
    if not isinstance(statement, ast.Expr):
        raise refusal(statement)
    try:
        return Expressions().value(statement.value)
    except PROBLEMS as problem:
        raise ClaimError(f"{clean_line(text, 80)} has no value ({type(problem).__name__})") from None
