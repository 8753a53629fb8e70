"""Magic numbers: literals in logic that no name explains."""

import ast
from collections.abc import Iterable, Iterator

from evalforge.evidence.reading.facts import Spot
from evalforge.evidence.reading.module import Module
from evalforge.evidence.reading.tree import Scope

_EVERYDAY = frozenset({0, 1, 2, 10, 100})
_CONSTANT = (
    *(ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.List, ast.Set, ast.Dict),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


def magic_numbers(modules: list[Module]) -> Iterator[Spot]:
    """Every unnamed number but 0, 1, -1, 2, 10 and 100.

    A number is named by the constant, variable, parameter default, keyword or dictionary key it is given to.
    """
    for module in modules:
        for scope in module.scopes:
            numbers = [node for node in scope.of(ast.Constant) if _is_unusual(node.value)]
            if not numbers:
                continue
            named = set(_named(scope))
            for node in numbers:
                if id(node) not in named:
                    message = f"is a number without a name in {scope.name or 'the module body'}"
                    yield Spot(module.path, node.lineno, message, _as_written(module, node))


def _is_unusual(value: object) -> bool:
    return isinstance(value, int | float | complex) and not isinstance(value, bool) and value not in _EVERYDAY


def _as_written(module: Module, node: ast.Constant) -> str:
    """A number as its author wrote it, so that ``0xFF`` is found again."""
    line = module.lines[node.lineno - 1].encode("utf-8", "replace")
    return line[node.col_offset : node.end_col_offset].decode("utf-8", "replace")


def _named(scope: Scope) -> Iterator[int]:
    """The ids of all nodes that a name explains."""
    for kind in (ast.Assign, ast.AnnAssign, ast.NamedExpr):
        for node in scope.of(kind):
            yield from _given(scope, node.value)
    for node in scope.of(ast.keyword):
        yield from _if_constant(node.value)
    for node in scope.of(ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield from _if_constant(value) if _is_name(key) else ()
    for signature in (*scope.of(ast.FunctionDef), *scope.of(ast.AsyncFunctionDef)):
        args = signature.args
        for explained in (*signature.decorator_list, *args.defaults, *args.kw_defaults, signature.returns):
            yield from _all(explained)
    for node in (*scope.of(ast.arg), *scope.of(ast.AnnAssign)):
        yield from _all(node.annotation)
    yield from (id(digits) for call, name in scope.calls if name == "builtins.round" for digits in call.args[1:])


def _is_name(key: ast.expr | None) -> bool:
    """Whether a dictionary key says what its value means."""
    if isinstance(key, ast.Constant):
        return isinstance(key.value, str)
    return isinstance(key, ast.Attribute | ast.Name)


def _given(scope: Scope, value: ast.expr | None) -> Iterable[int]:
    """In a module or class body every assignment names its numbers; in a function only those of constants."""
    return _all(value) if scope.function is None else _if_constant(value)


def _if_constant(value: ast.expr | None) -> Iterable[int]:
    nodes = list(ast.walk(value)) if value is not None else []
    return map(id, nodes) if all(isinstance(node, _CONSTANT) for node in nodes) else ()


def _all(node: ast.expr | None) -> Iterable[int]:
    return map(id, ast.walk(node)) if node is not None else ()
