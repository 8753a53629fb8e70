"""How the program catches errors, and how it ends the process."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator

from evalforge.evidence.static.catch_alls import catch_alls, is_unneeded, shows_trace
from evalforge.evidence.static.caught_types import BROAD_EXCEPTIONS, caught_names, is_broad
from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.input_output import is_switched_on, process_exits
from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, simple_name
from evalforge.evidence.static.vocabulary import EXITS

_CONTROL_FLOW_EXCEPTIONS = frozenset(
    {"StopIteration", "StopAsyncIteration", "GeneratorExit", "CancelledError", "Empty", "Full"}
)
"""Exceptions that end a loop or a wait; ignoring them hides nothing."""
_SWALLOWS_ERROR = "swallows an error silently: report it, handle it or let it propagate"
_IDLE_CALLS = frozenset({"str", "repr", "len", "bool", "id", "type"})
_METHODS = {*dir(str), *dir(bytes), *dir(list), *dir(dict), *dir(set)}
_LOADERS = ("importlib.", "runpy.", "pickle.", "asyncio.", "concurrent.")
_REMOVERS = frozenset({"unlink", "remove", "rmdir"})
_EVAL_CALLS = frozenset({"builtins.eval", "builtins.exec", "builtins.compile"})


def bare_excepts(program: Program) -> Iterator[Observation]:
    """Find every ``except:`` without a type that doesn't re-raise: raising another error would also replace Ctrl-C."""
    for module, scope, handler in _handlers(program):
        if handler.type is None and not any(isinstance(node, ast.Raise) and node.exc is None for node in handler.body):
            message = "catches everything, Ctrl-C included: name the exceptions you expect"
            yield Observation(module.path, handler.lineno, message, scope.name)


def broad_excepts(program: Program) -> Iterator[Observation]:
    """Find handlers of Exception or BaseException that pass nothing on, but not those of last resort.

    Handlers that turn errors of the program's own or library code into one other error count too.
    """
    foreign = _foreign_calls(program)
    for module, scope, handler in _handlers(program):
        caught = caught_names(program.origins, module, scope, handler.type)
        renames = _renames_faults(scope, handler, foreign)
        passes_on = _raises(module, scope, handler) or _gives_to_future(handler)
        if is_broad(caught) and (renames or not (passes_on or _is_last_resort(module, scope, handler))):
            what = next((name for name in caught if name in BROAD_EXCEPTIONS), "nearly every kind of error")
            does = "raises the same error whatever went wrong" if renames else "goes on"
            message = f"catches {what.removeprefix('builtins.')} and {does}: name the exceptions you expect"
            yield Observation(module.path, handler.lineno, message, scope.name)
    for module, scope, call, name in program.calls():
        suppressed = call.args if name == "contextlib.suppress" else []
        if is_broad([caught for arg in suppressed for caught in caught_names(program.origins, module, scope, arg)]):
            message = "suppresses every error: name the ones you expect"
            yield Observation(module.path, call.lineno, message, scope.name)
    for module in program.modules:
        yield from catch_alls(module)


def silent_excepts(program: Program) -> Iterator[Observation]:
    """Find handlers and ``suppress`` blocks that only ignore errors, unless the error isn't a failure."""
    for module, scope in program.scopes:
        places: list[ast.ExceptHandler | ast.stmt] = [
            handler
            for try_block in scope.nodes(ast.Try, ast.TryStar)
            for handler in try_block.handlers
            if all(_does_nothing(scope, node) for node in handler.body)
            and not _may_be_silent(try_block, caught_names(program.origins, module, scope, handler.type))
        ]
        places += [node for node in scope.nodes(ast.Expr) if _drops_errors(module, scope, node)]
        places += _silent_suppressions(module, scope)
        yield from (Observation(module.path, place.lineno, _SWALLOWS_ERROR, scope.name) for place in places)


def specific_excepts(program: Program) -> Iterator[Observation]:
    """Find handlers of concrete exceptions that have caught one in a trial."""
    for module, scope, handler in _handlers(program):
        caught = caught_names(program.origins, module, scope, handler.type)
        has_caught = any(module.ran(node, scope) for node in handler.body)
        if caught and has_caught and not is_broad(caught):
            names = ", ".join(name.rsplit(".", 1)[-1] for name in caught)
            yield Observation(module.path, handler.lineno, f"is caught in {scope.title}", names)


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
    """The names of functions that only entry functions call and that return nothing: they report and exit."""
    callers: dict[str, set[bool]] = defaultdict(set)
    for _, scope, call, _ in program.calls():
        callers[simple_name(call.func)].add(scope.top_name in program.entry_functions)
    functions = (scope for _, scope in program.functions if not _returns_value(scope))
    return {scope.name for scope in functions if callers[scope.last_name] == {True}}


def eval_calls(program: Program) -> Iterator[Observation]:
    """Find calls of eval, exec and compile."""
    for module, scope, call, name in program.calls():
        if name in _EVAL_CALLS:
            message = f"is used in {scope.title}: text from outside may become code"
            yield Observation(module.path, call.lineno, message, name.removeprefix("builtins."))


def _drops_errors(module: Module, scope: Scope, node: ast.Expr) -> bool:
    """Whether a statement gathers errors instead of raising them, and discards them; allowed after a cancellation."""
    call = node.value.value if isinstance(node.value, ast.Await) else node.value
    if not isinstance(call, ast.Call) or module.dotted_name(call.func, scope) != "asyncio.gather":
        return False
    return is_switched_on(call, "return_exceptions") and not any(
        simple_name(other.func) == "cancel" for other, _ in scope.calls
    )


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


def _handlers(program: Program) -> Iterator[tuple[Module, Scope, ast.ExceptHandler]]:
    return ((module, scope, handler) for module, scope in program.scopes for handler in scope.nodes(ast.ExceptHandler))


def _raises(module: Module, scope: Scope, handler: ast.ExceptHandler) -> bool:
    """Whether a handler raises the same error or a better one; ending the program doesn't count.

    A conditional raise counts if a trial in which the handler caught an error executed it: with
    ``if args.debug: raise`` all others are swallowed.
    """
    ends = {node for node, _ in process_exits(module, scope)}
    was_needed = module.lines_run is not None and any(module.ran(node, scope) for node in handler.body)
    within = {node for statement in _before_end(module, scope, handler.body) for node in ast.walk(statement)}
    return any(
        node in handler.body or not was_needed or module.ran(node, scope)
        for node in scope.nodes(ast.Raise)
        if node in within and node not in ends
    )


def _renames_faults(scope: Scope, handler: ast.ExceptHandler, foreign: Callable[[str], bool]) -> bool:
    """Whether a handler turns all errors of a block into a single one, although the block calls no foreign code.

    The program's own errors have names that could be caught.
    """
    if not (isinstance(handler.body[-1], ast.Raise) and isinstance(handler.body[-1].exc, ast.Call)):
        return False
    blocks = [block for block in scope.nodes(ast.Try, ast.TryStar) if handler in block.handlers]
    within = {node for block in blocks for statement in block.body for node in ast.walk(statement)}
    names = [name for call, name in scope.calls if call in within]
    return bool(names) and not any(map(foreign, names))


def _foreign_calls(program: Program) -> Callable[[str], bool]:
    """A check of whether a call may reach code from outside or load some, whose errors nobody can know."""
    own = {scope.last_name for _, scope in [*program.functions, *program.classes]}

    def is_foreign(name: str) -> bool:
        is_known = name.rsplit(".", 1)[-1] in own | _METHODS
        return not is_known and name.startswith((UNKNOWN, *_LOADERS))

    leaving = [scope for _, scope in program.functions if any(is_foreign(name) for _, name in scope.calls)]
    reached = {scope.last_name for scope in program.functions_reaching(leaving)}
    return lambda name: name.rsplit(".", 1)[-1] in reached or is_foreign(name)


def _is_last_resort(module: Module, scope: Scope, handler: ast.ExceptHandler) -> bool:
    """Whether a handler follows named ones at the program's start, and shows the traceback of unexpected errors.

    One that a trial executed isn't a last resort, because it handles errors that have names.
    """
    is_last = any(
        len(block.handlers) > 1 and block.handlers[-1] is handler for block in scope.nodes(ast.Try, ast.TryStar)
    )
    is_at_start = scope.top_name in module.entry_functions
    return is_last and is_at_start and is_unneeded(module, scope, handler.body) and shows_trace(module, scope, handler)


def _gives_to_future(handler: ast.ExceptHandler) -> bool:
    """Whether a handler passes the error to those who wait for a result, as in ``future.set_exception(error)``."""
    for node in handler.body:
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="set_exception"), args=[ast.Name(id=name)])):
                if name == handler.name:
                    return True
            case _:
                pass
    return False


def _before_end(module: Module, scope: Scope, body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block up to the one that leaves it; later ones never run."""
    for node in body:
        yield node
        match node:
            case ast.Return() | ast.Continue() | ast.Break() | ast.Raise():
                return
            case ast.Expr(value=ast.Call(func=function)) if module.dotted_name(function, scope) in EXITS:
                return
            case _:
                pass


def _does_nothing(scope: Scope, node: ast.stmt) -> bool:
    """Whether a statement has no effect: ``pass``, a constant, a name that is set and never read."""
    match node:
        case ast.Pass() | ast.Continue() | ast.Expr(value=ast.Constant() | ast.Name()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=called))):
            return called in _IDLE_CALLS
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant()):
            return not any(
                name_node.id == name and isinstance(name_node.ctx, ast.Load) for name_node in scope.nodes(ast.Name)
            )
        case _:
            return False


def _may_be_silent(try_block: ast.Try | ast.TryStar, caught: list[str]) -> bool:
    names = {name.rsplit(".", 1)[-1] for name in caught}
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


def _returns_value(scope: Scope) -> bool:
    """Whether a function returns anything other than None."""
    for node in scope.nodes(ast.Return):
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            return True
    return any(node.value is not None for node in scope.nodes(ast.Yield, ast.YieldFrom))
