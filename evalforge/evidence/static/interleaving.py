"""Tasks that should be separate but are mixed: checking and changing in one loop, files and rules in one class."""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import LOOPS, Scope
from evalforge.evidence.static.shared_state import in_place_changes
from evalforge.evidence.static.vocabulary import PURE_OS


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
            argument_names = _handed_names(scope)
            for node, name in in_place_changes(scope):
                if name in argument_names:
                    message = f"changes `{name}`, in a class that works on files"
                    yield Observation(module.path, node.lineno, message, scope.name)


def _is_of_files(name: str) -> bool:
    """Whether a call opens a file, or asks the system to move or remove one."""
    return name in ("builtins.open", "io.open") or (name.startswith("os.") and name.rsplit(".", 1)[-1] not in PURE_OS)


def _checks_and_changes(loop: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> bool:
    within = set(ast.walk(loop))
    raises = not within.isdisjoint(scope.nodes(ast.Raise))
    return raises and any(node in within and name == "self" for node, name in in_place_changes(scope))


def _handed_names(scope: Scope) -> set[str]:
    """The parameters of a method except the first one, which is the object itself."""
    return {argument.arg for argument in (*scope.arguments.args[1:], *scope.arguments.kwonlyargs)}
