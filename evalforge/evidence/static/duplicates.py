"""Repeated code: the same few statements in two functions, whatever their texts and the names of their locals."""

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, blocks, children

_MAX_NODES = 120
"""Longer statements are only compared in parts."""


class _Size(NamedTuple):
    """The size of statements: their number including nested ones, and the nodes of their trees."""

    statements: int
    nodes: int


_MIN_SIZE = _Size(4, 18)
"""Two similar methods of two or three short lines don't bother readers."""


@dataclass(frozen=True)
class _Steps:
    """Consecutive statements of a function, and the shape that they share with similar ones."""

    path: str
    first_line: int
    last_line: int
    scope: Scope
    shape: tuple[str, ...]


def duplicate_blocks(program: Program) -> Iterator[Observation]:
    """Find every run of statements that repeats one in an earlier function."""
    first_seen: dict[tuple[str, ...], _Steps] = {}
    last_line: dict[str, int] = {}
    for steps in (steps for module, scope in program.functions for steps in _runs(module, scope)):
        origin = first_seen.setdefault(steps.shape, steps)
        if origin.scope in steps.scope.visible_scopes():
            continue
        known_line = last_line.get(steps.path, 0)
        last_line[steps.path] = max(known_line, steps.last_line)
        if steps.first_line > known_line:
            message = f"lines {steps.first_line} to {steps.last_line} repeat {origin.path}:{origin.first_line}"
            yield Observation(steps.path, steps.first_line, message)


def _runs(module: Module, scope: Scope) -> Iterator[_Steps]:
    """For each statement, the shortest run from it that is long enough to compare."""
    local = scope.local_names
    for block in blocks(scope):
        sizes = [_size(node) for node in block]
        for start in range(len(block)):
            if run := _shortest_run(block, sizes, start):
                last_line = run[-1].end_lineno or run[-1].lineno
                yield _Steps(module.path, run[0].lineno, last_line, scope, _shape(run, local))


def _shortest_run(block: list[ast.stmt], sizes: list[_Size | None], start: int) -> list[ast.stmt]:
    """The shortest run of a block from one statement on that is long enough; empty if there is none."""
    statements = nodes = 0
    for end in range(start, len(block)):
        size = sizes[end]
        if size is None:
            break
        statements, nodes = statements + size.statements, nodes + size.nodes
        if statements >= _MIN_SIZE.statements and nodes >= _MIN_SIZE.nodes:
            return block[start : end + 1]
    return []


def _size(statement: ast.stmt) -> _Size | None:
    """The size of a statement; None if it is too long."""
    nodes = list(itertools.islice(_nodes(statement), _MAX_NODES + 1))
    if len(nodes) > _MAX_NODES:
        return None
    return _Size(sum(isinstance(node, ast.stmt) for node in nodes), len(nodes))


def _nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """A statement and all nodes in it, in source order, except values inserted into texts."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.JoinedStr):
            waiting += reversed(children(node))


def _shape(run: list[ast.stmt], local: set[str]) -> tuple[str, ...]:
    """The nodes of statements, ignoring names of locals and texts."""
    return tuple(
        "local" if isinstance(node, ast.Name) and node.id in local else _node_word(node)
        for statement in run
        for node in _nodes(statement)
    )


def _node_word(node: ast.AST) -> str:
    """A node's own content, without the value of a text."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
            return f".{name}"
        case ast.Constant(value=str()) | ast.JoinedStr():
            return "text"
        case ast.Constant(value=value):
            return repr(value)[:40]
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            return type(op).__name__
        case ast.Compare(ops=ops):
            return " ".join(type(op).__name__ for op in ops)
        case _:
            return type(node).__name__
