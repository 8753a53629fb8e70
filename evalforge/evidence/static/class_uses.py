"""Whether a program uses its classes: one that is never instantiated, raised or derived from is only for show."""

import ast
from collections import defaultdict
from collections.abc import Mapping

from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, children, simple_name


def find_mentions(program: Program) -> Mapping[str, list[Scope]]:
    """The scopes that a trial executed, by the names in them.

    Names in a module's body that are merely listed don't count, as in ``ALL = (Box, Lid)``.
    """
    mentions: dict[str, list[Scope]] = defaultdict(list)
    for module, scope in program.scopes:
        in_row = {part for row in scope.nodes(ast.Tuple, ast.List) for part in children(row)}
        for node in scope.nodes(ast.Name, ast.Attribute) if module.was_called(scope) else ():
            if scope.parent is not None or node not in in_row:
                mentions[simple_name(node)].append(scope)
    return mentions


def is_class_used(module: Module, scope: Scope, mentions: Mapping[str, list[Scope]]) -> bool:
    """Whether a trial called one of a class's methods, or executed code elsewhere that names it."""
    if module.lines_run is None or any(scope not in user.enclosing() for user in mentions.get(scope.last_name, ())):
        return True
    return any(scope in method.enclosing() and module.was_called(method) for method in module.functions)
