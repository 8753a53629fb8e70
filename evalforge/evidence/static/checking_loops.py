"""Loops of methods that check and change in turn: if a later item is refused, earlier ones have already been taken."""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import LOOPS, Scope, root_name

_CHANGERS = frozenset(
    "append extend insert remove pop popitem clear add discard update setdefault appendleft popleft".split()
)
"""Methods that change the object on which they are called."""


def checking_changes(program: Program) -> Iterator[Observation]:
    """The first loop of each method that raises errors and also changes the object's state."""
    for module, scope in program.functions:
        loop = next((loop for loop in scope.nodes(*LOOPS) if _checks_and_changes(loop, scope)), None)
        if loop is not None:
            yield Observation(module.path, loop.lineno, "raises errors in a loop that also changes state", scope.name)


def _checks_and_changes(loop: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> bool:
    within = set(ast.walk(loop))
    raises = not within.isdisjoint(scope.nodes(ast.Raise))
    stored = [node for node in scope.nodes(ast.Attribute, ast.Subscript) if not isinstance(node.ctx, ast.Load)]
    calls = (node.func for node in scope.nodes(ast.Call) if isinstance(node.func, ast.Attribute))
    changed = [*stored, *(function for function in calls if function.attr in _CHANGERS)]
    return raises and any(node in within and root_name(node) == "self" for node in changed)
