"""Whether a program uses its classes: one that is never instantiated, raised or derived from is only for show."""

import ast
from collections import defaultdict

from evalforge.evidence.static.module import Module
from evalforge.evidence.static.scopes import Scope, children, simple_name


class ClassUses:
    """Finds mentions of classes in code that a trial executed.

    Args:
        modules: The files of the program.
    """

    def __init__(self, modules: list[Module]) -> None:
        self._users: dict[str, list[Scope]] = defaultdict(list)
        for module in modules:
            for scope in module.scopes:
                if module.was_called(scope):
                    self._note_mentions(scope)

    def _note_mentions(self, scope: Scope) -> None:
        """Record every name, except those in a module's body that are merely listed, as in ``ALL = (Box, Lid)``."""
        in_row = {id(part) for row in [*scope.nodes(ast.Tuple), *scope.nodes(ast.List)] for part in children(row)}
        for node in [*scope.nodes(ast.Name), *scope.nodes(ast.Attribute)]:
            if scope.parent is not None or id(node) not in in_row:
                self._users[simple_name(node)].append(scope)

    def is_used(self, module: Module, scope: Scope) -> bool:
        """Whether a trial called one of the class's methods, or executed code elsewhere that names it."""
        if module.lines_run is None or self._is_named_outside(scope):
            return True
        return any(_is_within(method, scope) and module.was_called(method) for method in module.functions)

    def _is_named_outside(self, scope: Scope) -> bool:
        return any(not _is_within(user, scope) for user in self._users[scope.last_name])


def _is_within(inner: Scope, scope: Scope) -> bool:
    around: Scope | None = inner
    while around is not None:
        if around is scope:
            return True
        around = around.parent
    return False
