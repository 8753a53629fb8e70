"""Code outside functions that does work as soon as its file is imported."""

import ast
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module, is_main_guard
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import COMPOUND, DEFINITIONS, lines_of, root_name, simple_name

_IDLE_STATEMENTS = (*DEFINITIONS, ast.Import, ast.ImportFrom, ast.Pass, ast.Global)
_MAX_GUARD_LINES = 12
"""The most lines of a main guard that only reads arguments, starts the program and exits with its status."""
_QUESTIONS = frozenset({"hasattr", "callable", "isinstance", "issubclass"})
"""Calls that only inspect what exists."""
_CIRCUMSTANCES = frozenset(
    {"TYPE_CHECKING", "version_info", "platform", "name", "environ", "getenv", "__package__", "__spec__"}
)
"""Names that describe the environment of an import; a test of them chooses between definitions, and isn't work."""


class WorkingBody(NamedTuple):
    """A module or class, with the statements of its body that do work, not counting nested ones."""

    module: Module
    class_name: str
    statements: list[ast.stmt]


class ImportWork:
    """Finds the work that a program's modules do on import.

    Args:
        program: The program.

    Attributes:
        bodies: Each module that does work, then each of its classes that does. A main guard may hold a few lines.
    """

    def __init__(self, program: Program) -> None:
        bodies = (body for module in program.modules for body in _working_bodies(module))
        self.bodies = [body for body in bodies if body.statements]

    def statements(self) -> Iterator[Observation]:
        """Every statement that does work when its module is imported, including those in blocks."""
        for module, _, statements in self.bodies:
            for node in _executed_statements(module, statements):
                is_guarded = any(node.lineno in lines_of(guard) for guard in filter(is_main_guard, module.tree.body))
                where = "is in a long main guard" if is_guarded else "runs as soon as the file is imported"
                message = f"{where}: move it into a function"
                yield Observation(module.path, node.lineno, message)


def _working_bodies(module: Module) -> Iterator[WorkingBody]:
    own: list[ast.stmt] = []
    for node in module.tree.body:
        if is_main_guard(node):
            is_short = module.code_lines(node) <= _MAX_GUARD_LINES
            own += [] if is_short else [inner for inner in _blocks(node) if not _is_definition(module, inner)]
        elif not _is_definition(module, node):
            own.append(node)
    yield WorkingBody(module, "", own)
    for scope in module.classes:
        # What a class body assigns becomes its attributes.
        work = [node for node in scope.node.body if isinstance(node, COMPOUND) or _is_bare_call(node)]
        yield WorkingBody(module, scope.name, work)


def _executed_statements(module: Module, statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, including those in blocks, that are neither definitions nor constants, in source order."""
    stack = statements[::-1]
    while stack:
        node = stack.pop()
        below = [inner for inner in _blocks(node) if not (is_main_guard(inner) or _is_definition(module, inner))]
        if not _is_choice(node, is_all_definitions=not below):
            yield node
        stack.extend(reversed(below))


def _is_definition(module: Module, node: ast.stmt) -> bool:
    if isinstance(node, _IDLE_STATEMENTS) or type(node).__name__ == "TypeAlias":
        return True
    match node:
        case ast.Expr(value=ast.Constant() | ast.Name() | ast.Attribute()) | ast.AnnAssign(value=None):
            return True
        case ast.Assign() | ast.AnnAssign():
            return not _has_effect(module, node)
        case ast.Assert(test=test):
            return _asks_for_circumstances(test)
        case ast.Raise(exc=ast.Call(args=arguments)) if not any(map(_called_names, arguments)):
            return True
        case ast.AugAssign(target=ast.Name(id="__all__")):
            return True
        case ast.Expr(value=call) | ast.Raise(exc=call) if module.is_main_file:
            return isinstance(call, ast.Call)
        case ast.Expr(value=ast.Call(func=function, args=arguments)):
            return not _has_effect(module, node) and _is_customary(module, function, arguments)
        case _:
            return False


def _has_effect(module: Module, node: ast.stmt) -> bool:
    """Whether running a statement outside functions has an effect: it reads, writes, or changes another module."""
    own_lines = chain(module.acting_lines, module.touching_lines.get(module.root, ()))
    acts = not set(own_lines).isdisjoint(lines_of(node))
    return acts or any(_is_elsewhere(module, target) for target in getattr(node, "targets", ()))


def _is_elsewhere(module: Module, target: ast.expr) -> bool:
    """Whether an assignment changes an object of another module, as in ``getcontext().prec = 60``."""
    if not isinstance(target, ast.Attribute | ast.Subscript):
        return False
    name = root_name(target)
    return not name or name in module.imports


def _is_bare_call(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _blocks(node: ast.stmt) -> Iterator[ast.stmt]:
    """The blocks directly in a compound statement, including handlers and cases."""
    if not isinstance(node, COMPOUND):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from child.body


def _is_choice(node: ast.stmt, *, is_all_definitions: bool) -> bool:
    """Whether a block only chooses between definitions: an optional import, or a test of the version or package."""
    if isinstance(node, ast.If):
        return _asks_for_circumstances(node.test) or (is_all_definitions and _called_names(node.test) <= _QUESTIONS)
    if isinstance(node, ast.Try | ast.TryStar):
        return is_all_definitions or any(isinstance(part, ast.Import | ast.ImportFrom) for part in node.body)
    return False


def _called_names(node: ast.AST) -> set[str]:
    """The last part of the name of everything that is called in a node; empty for what has no name."""
    return {simple_name(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}


def _asks_for_circumstances(test: ast.expr) -> bool:
    return not _CIRCUMSTANCES.isdisjoint(simple_name(part) for part in ast.walk(test))


def _is_customary(module: Module, function: ast.expr, arguments: list[ast.expr]) -> bool:
    """Whether a call is usual on import: to register something, for a null handler, or ``setup()`` in ``setup.py``."""
    name = module.dotted_name(function, module.root)
    if name.rpartition(".")[2].lstrip("_").startswith("register") and root_name(function) in module.imports:
        return True
    if _is_class_registry(module, function):
        return True
    if name.endswith(".addHandler") and len(arguments) == 1 and isinstance(arguments[0], ast.Call):
        return module.dotted_name(arguments[0].func, module.root).endswith("NullHandler")
    return name == "setuptools.setup" and module.name == "setup.py"


def _is_class_registry(module: Module, function: ast.expr) -> bool:
    """Whether a call is ``register`` of one of the module's abstract classes, which declares a subclass."""
    is_inherited = all(scope.last_name != "register" for scope in module.functions)
    owners = {scope.name for scope in module.classes}
    return is_inherited and simple_name(function) == "register" and root_name(function) in owners
