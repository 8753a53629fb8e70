"""Magic numbers: literals in logic without a name that explains them."""

import ast
from collections.abc import Iterable, Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope

_COMMON_NUMBERS = frozenset({0, 1, 2, 10, 100})
_CONSTANT_NODES = (
    *(ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.List, ast.Set, ast.Dict),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


def magic_numbers(program: Program) -> Iterator[Observation]:
    """Find every unnamed number except 0, 1, -1, 2, 10 and 100.

    A number is named by the constant, variable, parameter default, keyword or dictionary key that it is given to.
    """
    for module, scope in program.scopes:
        numbers = [node for node in scope.nodes(ast.Constant) if _is_unusual(node.value)]
        named_nodes = set(_named_nodes(scope)) if numbers else set[ast.AST]()
        for node in numbers:
            if node not in named_nodes:
                message = f"is a number without a name in {scope.title}"
                yield Observation(module.path, node.lineno, message, _as_written(module, node))


def _is_unusual(value: object) -> bool:
    return isinstance(value, int | float | complex) and not isinstance(value, bool) and value not in _COMMON_NUMBERS


def _as_written(module: Module, node: ast.Constant) -> str:
    """A number as its author wrote it, so that they can find ``0xFF`` again."""
    line = module.lines[node.lineno - 1].encode("utf-8", "replace")
    return line[node.col_offset : node.end_col_offset].decode("utf-8", "replace")


def _named_nodes(scope: Scope) -> Iterator[ast.AST]:
    """All nodes that have a name to explain them."""
    for node in scope.nodes(ast.Assign, ast.AnnAssign, ast.NamedExpr):
        # In a module or class body the name explains any value, in a function only a constant.
        yield from _nodes(node.value) if scope.function is None else _nodes_if_constant(node.value)
    for node in scope.nodes(ast.keyword):
        yield from _nodes_if_constant(node.value)
    for node in scope.nodes(ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield from _nodes_if_constant(value) if _is_name(key) else ()
    for signature in scope.nodes(ast.FunctionDef, ast.AsyncFunctionDef):
        args = signature.args
        for explained in (*signature.decorator_list, *args.defaults, *args.kw_defaults, signature.returns):
            yield from _nodes(explained)
    for node in scope.nodes(ast.arg, ast.AnnAssign):
        yield from _nodes(node.annotation)
    yield from (digits for call, name in scope.calls if name == "builtins.round" for digits in call.args[1:])


def _is_name(key: ast.expr | None) -> bool:
    """Whether a dictionary key names its value."""
    if isinstance(key, ast.Constant):
        return isinstance(key.value, str)
    return isinstance(key, ast.Attribute | ast.Name)


def _nodes_if_constant(value: ast.expr | None) -> Iterable[ast.AST]:
    nodes = list(_nodes(value))
    return nodes if all(isinstance(node, _CONSTANT_NODES) for node in nodes) else ()


def _nodes(node: ast.expr | None) -> Iterable[ast.AST]:
    return ast.walk(node) if node is not None else ()
