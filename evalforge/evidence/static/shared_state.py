"""What methods change in place: their arguments, and what a loop also checks."""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import UNKNOWN
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import LOOPS, Scope
from evalforge.evidence.static.vocabulary import MUTATORS, PURE_OS, SILENT_MUTATORS

_MUTATING_FUNCTIONS = (
    "heapq.heap",
    "bisect.insort",
    "random.shuffle",
    "builtins.setattr",
    "builtins.delattr",
    "operator.setitem",
    "operator.delitem",
    "operator.iadd",
    "operator.ior",
)
_MODULE_STATE = "globals() or a class"
"""The name for state that outlives every call and has no name of its own: ``globals()``, ``type(self)``."""
_DISPLAYS = (ast.Dict, ast.List, ast.Set)


def checking_changes(program: Program) -> Iterator[Observation]:
    """The first loop of each method that raises errors and also changes the object's state.

    If a later iteration refuses its input, an earlier one has already changed something.
    """
    for module, scope in program.functions:
        loop = next((loop for loop in scope.nodes(*LOOPS) if _checks_and_changes(loop, scope)), None)
        if loop is not None:
            yield Observation(module.path, loop.lineno, "raises errors in a loop that also changes state", scope.name)


def handed_changes(program: Program) -> Iterator[Observation]:
    """Find where methods of a class that opens files change their arguments."""
    for module, class_scope in program.classes:
        methods = module.methods(class_scope)
        works_on_files = any(_is_of_files(name) for scope in methods for _, name in scope.calls)
        for scope in methods if works_on_files else ():
            arguments = (*scope.arguments.args[1:], *scope.arguments.kwonlyargs)  # but for the object itself
            for node, name in in_place_changes(scope):
                if any(argument.arg == name for argument in arguments):
                    message = f"changes `{name}`, in a class that works on files"
                    yield Observation(module.path, node.lineno, message, scope.name)


def _is_base(node: ast.expr, class_scope: Scope) -> bool:
    """Whether this is a base class, whose methods change their argument: ``Base.clear(self)``."""
    return ast.unparse(node) in map(ast.unparse, class_scope.bases)


def in_place_changes(scope: Scope) -> Iterator[tuple[ast.expr, str]]:
    """Every in-place change of an object, with the name through which it is reached."""
    for node in scope.nodes(ast.Attribute, ast.Subscript):
        if not isinstance(node.ctx, ast.Load) and (name := _owner_name(node)):
            yield node, name
    statements = {statement.value for statement in scope.nodes(ast.Expr)}
    for call, dotted in scope.calls:
        function = call.func
        if dotted.startswith(_MUTATING_FUNCTIONS) and call.args:
            name = _owner_name(call.args[0])
        elif isinstance(function, ast.Attribute) and function.attr in MUTATORS and dotted.startswith(UNKNOWN):
            # A call whose result is used isn't a change if a changing method would return None: `context.add(a, b)`.
            is_silent = function.attr in SILENT_MUTATORS and call not in statements
            is_inherited = call.args and scope.parent is not None and _is_base(function.value, scope.parent)
            name = None if is_silent else _owner_name(call.args[0] if is_inherited else function)
        else:
            name = None
        if name:
            yield call, name


def _owner_name(node: ast.AST) -> str | None:
    """The name through which an object like ``a.b[0]`` is reached; None past a call, whose result may be new.

    A class reached through its object is named ``_MODULE_STATE``, and so are a module's globals.
    """
    while True:
        match node:
            case ast.Attribute(attr="__class__", ctx=ast.Load()) | ast.Call(func=ast.Name(id="type"), args=[_]):
                return _MODULE_STATE
            case ast.Call(func=ast.Name(id="globals"), args=[]):
                return _MODULE_STATE
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
                node = inner
            case ast.Call(func=ast.Name(id="vars"), args=[inner]):
                node = inner
            case _:
                return node.id if isinstance(node, ast.Name) else None


def _is_of_files(name: str) -> bool:
    """Whether a call opens a file, or asks the system to move or remove one."""
    return name in ("builtins.open", "io.open") or (name.startswith("os.") and name.rsplit(".", 1)[-1] not in PURE_OS)


def _checks_and_changes(loop: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> bool:
    within = set(ast.walk(loop))
    raises = not within.isdisjoint(scope.nodes(ast.Raise))
    return raises and any(node in within and name == "self" for node, name in in_place_changes(scope))
