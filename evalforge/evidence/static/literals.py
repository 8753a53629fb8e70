"""Magic numbers: literals in logic without a name that explains them."""

import ast
from collections.abc import Iterable, Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.scopes import Scope

_COMMON_NUMBERS = frozenset({0, 1, 2, 10, 100})
_CONSTANT_NODES = (
    *(ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.List, ast.Set, ast.Dict),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


def magic_numbers(modules: list[Module]) -> Iterator[Observation]:
    """Find every unnamed number except 0, 1, -1, 2, 10 and 100.

    A number is named by the constant, variable, parameter default, keyword or dictionary key that it is given to.
    """
    for module in modules:
        for scope in module.scopes:
            numbers = [node for node in scope.nodes(ast.Constant) if _is_unusual(node.value)]
            if not numbers:
                continue
            named_node_ids = set(_named_node_ids(scope))
            for node in numbers:
                if id(node) not in named_node_ids:
                    message = f"is a number without a name in {scope.name or 'the module body'}"
                    yield Observation(module.path, node.lineno, message, _as_written(module, node))


def _is_unusual(value: object) -> bool:
    return isinstance(value, int | float | complex) and not isinstance(value, bool) and value not in _COMMON_NUMBERS


def _as_written(module: Module, node: ast.Constant) -> str:
    """A number as its author wrote it, so that they can find ``0xFF`` again."""
    line = module.lines[node.lineno - 1].encode("utf-8", "replace")
    return line[node.col_offset : node.end_col_offset].decode("utf-8", "replace")


def _named_node_ids(scope: Scope) -> Iterator[int]:
    """The ids of all nodes that have a name to explain them."""
    for kind in (ast.Assign, ast.AnnAssign, ast.NamedExpr):
        for node in scope.nodes(kind):
            yield from _assigned_node_ids(scope, node.value)
    for node in scope.nodes(ast.keyword):
        yield from _node_ids_if_constant(node.value)
    for node in scope.nodes(ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield from _node_ids_if_constant(value) if _is_name(key) else ()
    for signature in (*scope.nodes(ast.FunctionDef), *scope.nodes(ast.AsyncFunctionDef)):
        args = signature.args
        for explained in (*signature.decorator_list, *args.defaults, *args.kw_defaults, signature.returns):
            yield from _node_ids(explained)
    for node in (*scope.nodes(ast.arg), *scope.nodes(ast.AnnAssign)):
        yield from _node_ids(node.annotation)
    yield from (id(digits) for call, name in scope.calls if name == "builtins.round" for digits in call.args[1:])


def _is_name(key: ast.expr | None) -> bool:
    """Whether a dictionary key names its value."""
    if isinstance(key, ast.Constant):
        return isinstance(key.value, str)
    return isinstance(key, ast.Attribute | ast.Name)


def _assigned_node_ids(scope: Scope, value: ast.expr | None) -> Iterable[int]:
    """The ids of named nodes in an assignment: any in a module or class body, only constants in a function."""
    return _node_ids(value) if scope.function is None else _node_ids_if_constant(value)


def _node_ids_if_constant(value: ast.expr | None) -> Iterable[int]:
    nodes = list(ast.walk(value)) if value is not None else []
    return map(id, nodes) if all(isinstance(node, _CONSTANT_NODES) for node in nodes) else ()


def _node_ids(node: ast.expr | None) -> Iterable[int]:
    return map(id, ast.walk(node)) if node is not None else ()
