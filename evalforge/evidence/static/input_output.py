"""Calls that reach outside the program (files, terminal, processes, network), and calls that vary by chance."""

import ast

from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.scopes import Scope, called, root_name
from evalforge.evidence.static.vocabulary import (
    BUFFERS,
    CSV_CALLS,
    EXITS,
    FROM_TEXT,
    IO_CALLS,
    IO_METHODS,
    IO_ROOTS,
    PREDICTABLE,
    PURE_OS,
    STREAMS,
    UNPREDICTABLE,
)

_LINES_TYPES = frozenset({"Iterable", "Iterator", "Sequence", "list", "List", "str"})
_SEEN = "a file"
"""The description of what a line touched if its names don't show it."""


def process_exits(module: Module, scope: Scope) -> list[tuple[ast.Call | ast.Raise, str]]:
    """Find where a scope ends the process, and how: ``sys.exit``, ``os._exit``, ``raise SystemExit``."""
    exits: list[tuple[ast.Call | ast.Raise, str]] = [
        (call, name.removeprefix("builtins.")) for call, name in scope.calls if name in EXITS
    ]
    exits += [
        (node, "raise SystemExit")
        for node in scope.nodes(ast.Raise)
        if node.exc is not None and "builtins.SystemExit" in module.ancestry(called(node.exc), scope)
    ]
    return exits


def is_switched_on(call: ast.Call, option: str) -> bool:
    """Whether a call switches an option on, as far as its text shows: ``echo("no", err=True)``."""
    return any(keyword.arg == option and getattr(keyword.value, "value", False) for keyword in call.keywords)


def io_places(module: Module, scope: Scope) -> list[tuple[int, str]]:
    """Find where a scope touches the outside world, as (line, what), in source order. Logging doesn't count.

    This is decided by the names of what it calls, and by what it did in the trials, whatever it calls.
    """
    buffers = _buffers(module, scope)
    places = [
        (call.lineno, _display_name(name)) for call, name in scope.calls if _is_io(call, name, module, scope, buffers)
    ]
    places += [(node.lineno, what) for node, what in process_exits(module, scope)]
    places += [
        (node.lineno, name)
        for node in scope.nodes(ast.Attribute)
        if node.attr.strip("_") in {"stdin", "stdout", "stderr", "argv"}
        and (name := module.dotted_name(node, scope)) in STREAMS
    ]
    named_lines = {line for line, _ in places}
    places += [(line, _SEEN) for line in module.touching_lines.get(scope, ()) if line not in named_lines]
    return sorted(set(places))


def unpredictable_places(module: Module, scope: Scope) -> list[tuple[int, str]]:
    """Find where a scope depends on the clock, chance, the environment or threads, as (line, what)."""
    names = [(call.lineno, name) for call, name in scope.calls]
    names += [
        (node.lineno, module.dotted_name(node, scope)) for node in scope.nodes(ast.Attribute) if node.attr == "environ"
    ]
    return sorted({(line, name) for line, name in names if name.startswith(UNPREDICTABLE) and name not in PREDICTABLE})


def _is_io(call: ast.Call, name: str, module: Module, scope: Scope, buffers: set[str]) -> bool:
    if name in CSV_CALLS:
        return not _reads_text(call, scope, buffers)
    if name in IO_CALLS or name.startswith(IO_ROOTS):
        return not any(isinstance(arg, ast.Name) and arg.id in buffers for arg in call.args)
    last = name.rsplit(".", 1)[-1]
    if name.startswith("os."):
        return last not in PURE_OS and not name.startswith("os.environ")
    if name.startswith("sys."):
        return name.startswith(("sys.stdin.", "sys.stdout.", "sys.stderr."))
    if last not in IO_METHODS or not isinstance(call.func, ast.Attribute):
        return False
    if not name.startswith(UNKNOWN):
        return name.startswith("pathlib.")
    return not _is_own_method(call.func, scope) and root_name(call.func) not in buffers


def _is_own_method(function: ast.Attribute, scope: Scope) -> bool:
    """Whether a call is to another method of the same object or class, which is judged there."""
    receiver = function.value
    if isinstance(receiver, ast.Call):
        return isinstance(receiver.func, ast.Name) and receiver.func.id == "super"
    return isinstance(receiver, ast.Name) and receiver.id == _self_name(scope)


def _self_name(scope: Scope) -> str | None:
    for visible_scope in scope.visible_scopes():
        if visible_scope.is_method:
            return visible_scope.parameters[0].arg if visible_scope.parameters else None
    return None


def _buffers(module: Module, scope: Scope) -> set[str]:
    """Local names that hold an in-memory file."""
    return {
        target.id
        for node in scope.nodes(ast.Assign)
        if isinstance(node.value, ast.Call) and module.dotted_name(node.value.func, scope) in BUFFERS
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _reads_text(call: ast.Call, scope: Scope, buffers: set[str]) -> bool:
    """Whether a csv reader or writer works on text in memory rather than on a file."""
    source = call.args[0] if call.args else None
    if isinstance(source, ast.Call):
        function = source.func
        function_name = function.attr if isinstance(function, ast.Attribute) else root_name(function)
        return function_name in FROM_TEXT
    if isinstance(source, ast.List | ast.ListComp | ast.GeneratorExp):
        return True
    if not isinstance(source, ast.Name):
        return False
    return source.id in buffers or _is_annotated_lines(source.id, scope)


def _is_annotated_lines(name: str, scope: Scope) -> bool:
    """Whether a parameter is annotated as lines or text rather than as a file."""
    for parameter in scope.parameters:
        if parameter.arg == name and parameter.annotation is not None:
            type_names = {node.id for node in ast.walk(parameter.annotation) if isinstance(node, ast.Name)}
            return not type_names.isdisjoint(_LINES_TYPES) and "IO" not in type_names
    return False


def _display_name(name: str) -> str:
    """A dotted name as its author wrote it, without our marks for built-ins and unknown names."""
    for prefix in ("builtins.", ".().", UNKNOWN):
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name
