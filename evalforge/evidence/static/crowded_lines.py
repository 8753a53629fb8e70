"""Crowded lines, which make a count of lines misleading."""

import ast
from collections import Counter

from evalforge.evidence.static.scopes import COMPOUND, Scope

_MAX_PARTS_ON_LINE = 50
"""The most names, calls and operators on a normal line; in 67,000 lines by careful authors the maximum was 40."""


def spare_lines(scope: Scope) -> Counter[int]:
    """How many more lines a scope would take, by line, if each line had one statement of a usual size."""
    spare = Counter[int]()
    parts = Counter(node.lineno for node in scope.all_nodes() if isinstance(node, ast.expr))
    for line, count in parts.items():
        spare[line] += count // _MAX_PARTS_ON_LINE
    simple = (statement.node for statement in scope.statements if not isinstance(statement.node, COMPOUND))
    for line, count in Counter(node.lineno for node in simple).items():
        spare[line] += count - 1
    return spare
