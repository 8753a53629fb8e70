"""Whether a program uses its classes: one that is never instantiated, raised or derived from is only for show."""

import ast
from collections import defaultdict

from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, children, simple_name


class ClassUses:
    """Finds mentions of classes in code that a trial executed.

    Args:
        program: The program.
    """

    def __init__(self, program: Program) -> None:
        self._users: dict[str, list[Scope]] = defaultdict(list)
        for module, scope in program.scopes:
            if module.was_called(scope):
                self._note_mentions(scope)

    def _note_mentions(self, scope: Scope) -> None:
        """Record every name, except those in a module's body that are merely listed, as in ``ALL = (Box, Lid)``."""
        in_row = {part for row in scope.nodes(ast.Tuple, ast.List) for part in children(row)}
        for node in scope.nodes(ast.Name, ast.Attribute):
            if scope.parent is not None or node not in in_row:
                self._users[simple_name(node)].append(scope)

    def is_used(self, module: Module, scope: Scope) -> bool:
        """Whether a trial called one of the class's methods, or executed code elsewhere that names it."""
        if module.lines_run is None or self._is_named_outside(scope):
            return True
        return any(scope in method.enclosing() and module.was_called(method) for method in module.functions)

    def _is_named_outside(self, scope: Scope) -> bool:
        return any(scope not in user.enclosing() for user in self._users[scope.last_name])
