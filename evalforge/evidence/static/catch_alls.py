"""Handlers of every error that are no ``except``: hooks at the end of the process, and context managers."""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.scopes import Scope

_HOOKS = frozenset({"sys.excepthook", "threading.excepthook"})
_EXITS = frozenset({"__exit__", "__aexit__"})
_TYPE_CHECKS = frozenset({"builtins.isinstance", "builtins.issubclass"})


def catch_alls(module: Module) -> Iterator[Observation]:
    """Where a module answers every error by a hook or a context manager, and doesn't pass any on."""
    for scope in module.scopes:
        for node in scope.nodes(ast.Assign):
            targets = {module.dotted_name(target, scope) for target in node.targets if _is_reference(target)}
            if targets & _HOOKS and not _hands_on(module, node.value):
                message = "answers whatever was not caught: name the exceptions you expect"
                yield Observation(module.path, node.lineno, message, scope.name)
    for scope in module.functions:
        if scope.is_method and scope.last_name in _EXITS and _swallows_all(module, scope):
            message = "swallows every error of its block: name the ones you expect"
            yield Observation(module.path, scope.line or 0, message, scope.name)


def _is_reference(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute | ast.Name)


def _hands_on(module: Module, hook: ast.expr) -> bool:
    """Whether a hook is the one before it, or calls that in the end."""
    bodies = [scope for scope in module.functions if isinstance(hook, ast.Name) and scope.name == hook.id]
    nodes = (node for scope in bodies for node in scope.nodes(ast.Attribute))
    return not bodies or any(node.attr.strip("_") == "excepthook" for node in nodes)


def _swallows_all(module: Module, scope: Scope) -> bool:
    """Whether an ``__exit__`` answers True for errors that it didn't tell from others."""
    if any(name in _TYPE_CHECKS for _, name in scope.calls) or any(map(_picks, scope.nodes(ast.Compare))):
        return False
    return any(node.value is not None and _is_agreement(node.value) for node in scope.nodes(ast.Return))


def _picks(node: ast.Compare) -> bool:
    """Whether a comparison picks one kind of error, as ``kind is KeyError`` does and ``kind is not None`` doesn't."""
    positive = isinstance(node.ops[0], ast.Is | ast.Eq | ast.In)
    return positive and not any(isinstance(side, ast.Constant) for side in (node.left, *node.comparators))


def _is_agreement(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=constant):
            return bool(constant)
        case ast.Compare(ops=[operator, *_]):
            return isinstance(operator, ast.IsNot | ast.NotEq | ast.NotIn)
        case ast.BoolOp(values=values):
            return all(map(_is_agreement, values))
        case _:
            return False
