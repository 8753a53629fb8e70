"""Functions that mix IO with decisions or computation.

Points measure how much a function itself decides and computes. Reading, checking input, calling other functions and
turning a result into an exit code get few points or none, because they belong at the edge of a program.
"""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.input_output import io_places
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, called, simple_name

MIN_MIXED_POINTS = 5
"""From this number of points on it is more than trivial: a threshold and a formula, or two thresholds."""

_ORDERING, _FORMULA, _SLIGHT, _ACCUMULATION = 3, 2, 1, 4
_ARITHMETIC_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow)
"""A division is none, because it may join paths."""
_ORDER_OPERATORS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_AGGREGATES = frozenset({"builtins.sum", "builtins.min", "builtins.max"})
_TEXT_NODES = (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple, ast.Dict)


def mixed_functions(program: Program) -> Iterator[Observation]:
    """Find every function, and every body of a module or class, that mixes IO with decisions or computation."""
    for module, scope in program.scopes:
        places = io_places(module, scope)
        if places and _decision_points(scope) >= MIN_MIXED_POINTS:
            line, what = places[0]
            where = "" if scope.function else " outside any function"
            message = f"decides or computes and also uses {what} (line {line}){where}"
            yield Observation(module.path, scope.line or line, message, scope.name or module.name)


def _decision_points(scope: Scope) -> int:
    """The points for what a scope itself decides and computes, besides formatting texts and refusing bad input."""
    besides = {node for text in scope.nodes(ast.JoinedStr) for node in ast.walk(text)}
    guards = (branch.test for branch in scope.nodes(ast.If) if isinstance(branch.body[-1], ast.Raise))
    besides.update(node for test in guards for node in ast.walk(test))
    points = sum(_comparison_points(node) for node in scope.nodes(ast.Compare) if node not in besides)
    points += sum(_formula_points(node) for node in scope.nodes(ast.BinOp) if node not in besides)
    points += sum(_FORMULA for call, name in scope.calls if name in _AGGREGATES and call not in besides)
    return points + sum(_change_points(placed.node, placed.in_loop) for placed in scope.statements)


def _comparison_points(node: ast.Compare) -> int:
    """The points of a comparison: thresholds count; equality, membership and identity only map values."""
    if not any(isinstance(op, _ORDER_OPERATORS) for op in node.ops):
        return 0
    operands = [node.left, *node.comparators]
    numbers = [side.value for side in operands if isinstance(side, ast.Constant)]
    is_measured = any(simple_name(called(side)) == "len" for side in operands)
    is_emptiness = len(operands) == 2 and bool(numbers) and (is_measured or numbers[0] in (0, 1))
    return _SLIGHT if is_emptiness else _ORDERING


def _formula_points(node: ast.BinOp) -> int:
    if not isinstance(node.op, _ARITHMETIC_OPERATORS) or _is_textual(node.left) or _is_textual(node.right):
        return 0
    return _SLIGHT if _is_one(node.left) or _is_one(node.right) else _FORMULA


def _change_points(node: ast.stmt, in_loop: bool) -> int:
    """The points for totals that grow in a loop, and for grouping by key."""
    match node:
        case ast.AugAssign(op=op, value=value):
            if not isinstance(op, _ARITHMETIC_OPERATORS) or _is_textual(value):
                return 0
            if _is_one(value):
                return _SLIGHT
            return _ACCUMULATION if in_loop else _FORMULA
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append" | "add", value=ast.Subscript() | ast.Call()))):
            return _FORMULA if in_loop else 0
        case _:
            return 0


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _is_textual(node: ast.expr) -> bool:
    """Whether an operand shows that an operator joins text or lists."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in {"str", "list", "repr", "tuple"}
    return isinstance(node, _TEXT_NODES) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
