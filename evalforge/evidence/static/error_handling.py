"""How the program catches errors, and how it ends the process."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.input_output import process_exits
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, simple_name

_CONTROL_FLOW_EXCEPTIONS = frozenset(
    {"StopIteration", "StopAsyncIteration", "GeneratorExit", "CancelledError", "Empty", "Full"}
)
"""Exceptions that end a loop or a wait; ignoring them hides nothing."""
_SWALLOWS_ERROR = "swallows an error silently: report it, handle it or let it propagate"
_REMOVERS = frozenset({"unlink", "remove", "rmdir"})
_EVAL_CALLS = frozenset({"builtins.eval", "builtins.exec", "builtins.compile"})


def silent_excepts(program: Program) -> Iterator[Observation]:
    """Find handlers and ``suppress`` blocks that only ignore errors, unless the error isn't a failure."""
    for module, scope in program.scopes:
        places: list[ast.ExceptHandler | ast.stmt] = [
            handler
            for try_block in scope.nodes(ast.Try, ast.TryStar)
            for handler in try_block.handlers
            if all(_does_nothing(scope, node) for node in handler.body)
            and not _may_be_silent(try_block, _caught_names(handler.type))
        ]
        places += [node for node in scope.nodes(ast.Expr) if _drops_errors(module, scope, node)]
        places += _silent_suppressions(module, scope)
        yield from (Observation(module.path, place.lineno, _SWALLOWS_ERROR, scope.name) for place in places)


def specific_excepts(program: Program) -> Iterator[Observation]:
    """Find handlers with a type that have caught an error in a trial."""
    for module, scope in program.scopes:
        for handler in scope.nodes(ast.ExceptHandler):
            if handler.type is not None and any(module.ran(node, scope) for node in handler.body):
                message = f"is caught in {scope.last_name or module.name}"
                yield Observation(module.path, handler.lineno, message, ast.unparse(handler.type))


def exit_calls(program: Program) -> Iterator[Observation]:
    """Find exits outside entry functions and their helpers, the main guard and ``__main__.py``."""
    entries = program.entry_functions | _helpers(program)
    for module in program.modules:
        guarded = {node for guard in module.main_guards for node in ast.walk(guard)}
        for scope in module.scopes:
            is_start = scope.top_name in entries or (module.is_main_file and scope is module.root)
            for node, what in () if is_start else process_exits(module, scope):
                if node not in guarded:
                    message = f"ends the whole program with {what}: raise an error and let main decide"
                    yield Observation(module.path, node.lineno, message, scope.name)


def _helpers(program: Program) -> set[str]:
    """The names of functions that only entry functions call: they may report and exit."""
    callers: dict[str, set[bool]] = defaultdict(set)
    for _, scope, call, _ in program.calls():
        callers[simple_name(call.func)].add(scope.top_name in program.entry_functions)
    return {scope.name for _, scope in program.functions if callers[scope.last_name] == {True}}


def eval_calls(program: Program) -> Iterator[Observation]:
    """Find calls of eval, exec and compile."""
    for module, scope, call, name in program.calls():
        if name in _EVAL_CALLS:
            message = f"calls {name.removeprefix('builtins.')}: text from outside may become code"
            yield Observation(module.path, call.lineno, message, scope.name)


def _drops_errors(module: Module, scope: Scope, node: ast.Expr) -> bool:
    """Whether a statement gathers errors instead of raising them, and discards them; allowed after a cancellation."""
    call = node.value.value if isinstance(node.value, ast.Await) else node.value
    if not isinstance(call, ast.Call) or module.dotted_name(call.func, scope) != "asyncio.gather":
        return False
    asked = (each.value for each in call.keywords if each.arg == "return_exceptions")
    returns_errors = any(getattr(value, "value", False) for value in asked)
    return returns_errors and not any(simple_name(other.func) == "cancel" for other, _ in scope.calls)


def _silent_suppressions(module: Module, scope: Scope) -> Iterator[ast.With]:
    """Blocks that suppress an error while making a value, without which the program then goes on.

    Best-effort clean-up hides nothing, nor does a block that returns the value.
    """
    for block in scope.nodes(ast.With):
        makers = [item.context_expr for item in block.items if isinstance(item.context_expr, ast.Call)]
        caught = {
            module.dotted_name(arg, scope).rsplit(".", 1)[-1]
            for call in makers
            if module.dotted_name(call.func, scope) == "contextlib.suppress"
            for arg in call.args
        }
        if caught - _CONTROL_FLOW_EXCEPTIONS and _makes_values(block, scope):
            yield block


def _makes_values(block: ast.With, scope: Scope) -> bool:
    """Whether a block assigns a name that is read outside of it."""
    within = {node for statement in block.body for node in ast.walk(statement)}
    names = scope.nodes(ast.Name)
    bound_names = {name.id for name in names if name in within and isinstance(name.ctx, ast.Store)}
    return any(name.id in bound_names and name not in within and isinstance(name.ctx, ast.Load) for name in names)


def _does_nothing(scope: Scope, node: ast.stmt) -> bool:
    """Whether a statement has no effect: ``pass``, a constant, a name that is set and never read."""
    match node:
        case ast.Pass() | ast.Continue() | ast.Expr(value=ast.Constant() | ast.Name()):
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant()):
            return not any(
                name_node.id == name and isinstance(name_node.ctx, ast.Load) for name_node in scope.nodes(ast.Name)
            )
        case _:
            return False


def _caught_names(caught: ast.expr | None) -> set[str]:
    """The names of the exceptions that a handler catches; none if it catches all."""
    nodes = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return {simple_name(node) for node in nodes if node is not None}


def _may_be_silent(try_block: ast.Try | ast.TryStar, names: set[str]) -> bool:
    if not names:
        return False
    if names <= _CONTROL_FLOW_EXCEPTIONS:
        return True
    optional = all(isinstance(node, ast.Import | ast.ImportFrom) for node in try_block.body)
    if optional and names <= {"ImportError", "ModuleNotFoundError"}:
        return True
    match try_block.body:
        case [ast.Expr(value=ast.Call(func=ast.Attribute(attr=called)))] if called in _REMOVERS:
            return names <= {"FileNotFoundError"}
        case _:
            return False
