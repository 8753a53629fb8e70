"""Handlers of all errors other than ``except``: hooks at the end of the process, context managers, ``finally``."""

import ast
from collections.abc import Iterator, Sequence

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.scopes import DEFINITIONS, LOOPS, Scope, children, simple_name

_HOOKS = frozenset({"sys.excepthook", "threading.excepthook"})
_EXITS = frozenset({"__exit__", "__aexit__"})
_TYPE_CHECKS = frozenset({"builtins.isinstance", "builtins.issubclass"})


def catch_alls(module: Module) -> Iterator[Observation]:
    """Find where a module handles all errors by other means than ``except``, and passes none on."""
    for scope in module.scopes:
        for node, message in _places(module, scope):
            yield Observation(module.path, node.lineno, message, scope.name)


def _places(module: Module, scope: Scope) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    for node in scope.nodes(ast.Assign):
        targets = {module.dotted_name(target, scope) for target in node.targets}
        if targets & _HOOKS and not _hands_on(module, node.value):
            yield node, "handles whatever was not caught: name the exceptions you expect"
    for block in scope.nodes(ast.Try, ast.TryStar):
        for node in _leaving(block.finalbody):
            yield node, "leaves a `finally`, which swallows every error of its block: name the ones you expect"
    for call, _ in scope.calls:
        if _asks_for_any_error(call, scope) or _pushes_agreement(call):
            yield call, "treats every error of what it runs as an answer: name the ones you expect"
    if scope.function and scope.is_method and scope.last_name in _EXITS and _swallows_all(module, scope):
        yield scope.function, "swallows every error of its block: name the ones you expect"


def _leaving(body: Sequence[ast.AST]) -> Iterator[ast.stmt]:
    """Statements that leave a ``finally`` early: ``return``, or ``break`` and ``continue`` of a loop around it."""
    waiting = [(node, False) for node in body]
    while waiting:
        node, in_loop = waiting.pop()
        if isinstance(node, ast.Return) or (isinstance(node, ast.Break | ast.Continue) and not in_loop):
            yield node
        elif not isinstance(node, (*DEFINITIONS, ast.expr)):
            in_loop = in_loop or isinstance(node, LOOPS)
            waiting += [(inner, in_loop) for inner in children(node)]


def _asks_for_any_error(call: ast.Call, scope: Scope) -> bool:
    """Whether a call asks a future of this function for its error of any type, and nothing is raised afterwards."""
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "exception") or call.args or call.keywords:
        return False
    return not scope.nodes(ast.Raise) and any(simple_name(other.func) == "submit" for other, _ in scope.calls)


def _pushes_agreement(call: ast.Call) -> bool:
    """Whether a call is like ``stack.push(lambda *error: True)``, which suppresses every error."""
    match call:
        case ast.Call(func=ast.Attribute(attr="push"), args=[ast.Lambda(body=body)]):
            return _is_agreement(body)
        case _:
            return False


def _hands_on(module: Module, hook: ast.expr) -> bool:
    """Whether a hook is the previous one, calls it, or shows the traceback of what no trial caused."""
    bodies = [scope for scope in module.functions if isinstance(hook, ast.Name) and scope.name == hook.id]
    nodes = (node for scope in bodies for node in scope.nodes(ast.Attribute))
    if not bodies or any(node.attr.strip("_") == "excepthook" for node in nodes):
        return True
    return all(
        is_unneeded(module, scope, scope.node.body) and shows_trace(module, scope, scope.node) for scope in bodies
    )


def is_unneeded(module: Module, scope: Scope, body: Sequence[ast.stmt]) -> bool:
    """Whether no trial executed a block; true if there is no record."""
    return module.lines_run is None or not any(module.ran(node, scope) for node in body)


def shows_trace(module: Module, scope: Scope, node: ast.AST) -> bool:
    """Whether a part of a scope logs or prints an error's traceback: ``log.exception("...")``."""
    within = set(ast.walk(node))
    return any(
        name.startswith("traceback.")
        or name.endswith(".exception")
        or any(keyword.arg == "exc_info" for keyword in call.keywords)
        for call, name in scope.calls
        if call in within
    )


def _swallows_all(module: Module, scope: Scope) -> bool:
    """Whether an ``__exit__`` returns True for errors without checking their type."""
    if any(name in _TYPE_CHECKS for _, name in scope.calls) or any(map(_picks, scope.nodes(ast.Compare))):
        return False
    return any(node.value is not None and _is_agreement(node.value) for node in scope.nodes(ast.Return))


def _picks(node: ast.Compare) -> bool:
    """Whether a comparison selects one type of error, as ``kind is KeyError`` does and ``kind is not None`` doesn't."""
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
