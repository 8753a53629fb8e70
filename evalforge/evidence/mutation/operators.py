"""Mutation operators: the mistakes that people make in one node of the syntax tree."""

import ast
from collections.abc import Iterator

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def mutations_of(node: ast.expr, text_matters: bool) -> Iterator[ast.expr]:
    """Yield expressions that somebody could write by mistake instead of a node.

    Args:
        node: The expression.
        text_matters: Whether a string here affects behaviour, rather than being read by a person.
    """
    match node:
        case ast.Compare():
            yield from _other_comparisons(node)
        case ast.Constant(value=value):
            yield from (ast.Constant(other) for other in _other_values(value, text_matters))
        case ast.UnaryOp():
            yield from _other_signs(node)
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.BinOp(left=left, op=operator, right=right) if not (_is_text(left) or _is_text(right)):
            if other := _ARITHMETIC.get(type(operator)):
                yield ast.BinOp(left, other(), right)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(_negated(test), body, orelse)
        case _:
            return


def _other_comparisons(node: ast.Compare) -> Iterator[ast.expr]:
    """Similar comparisons in place of a single one; for a chain, one per link."""
    for index, operator in enumerate(node.ops):
        other_operators = _COMPARISONS[type(operator)]
        for other in other_operators if len(node.ops) == 1 else other_operators[:1]:
            yield ast.Compare(node.left, [*node.ops[:index], other(), *node.ops[index + 1 :]], node.comparators)


def _other_signs(node: ast.UnaryOp) -> Iterator[ast.expr]:
    if not isinstance(node.op, ast.UAdd) and not (
        isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
    ):
        yield node.operand


def negated_condition(test: ast.expr) -> ast.expr | None:
    """A negated condition; None if another operator gives the same mutant."""
    if isinstance(test, ast.Constant) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
        return None
    if (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and type(test.ops[0]) in (*(ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot),)
    ):
        return None
    return _negated(test)


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _other_values(value: object, text_matters: bool) -> Iterator[bool | int | float | str]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
    elif isinstance(value, str) and text_matters:
        yield value + "?" if value else "?"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
