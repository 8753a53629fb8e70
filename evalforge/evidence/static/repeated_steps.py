"""Short repeated steps: the same few statements in two functions, whatever their names and texts.

A check of a setting in the constructor that is repeated where the setting changes is too short for ``duplicates``, but
still bothers readers:

    if limit < 1:                               if new_limit < 1:
        raise ValueError("limit")                   raise ValueError("no such limit")
    if not isinstance(limit, int):              if not isinstance(new_limit, int):
        raise TypeError("limit")                    raise TypeError("not a number")

Longer runs are also found with different attributes, if each name of one corresponds to one name of the other:

    while self.full():                          while self.empty():
        putter = self._new_future()                 getter = self._new_future()
        self._putters.append(putter)                self._getters.append(getter)
        ...                                         ...
"""

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
_MIN_TWIN_SIZE = _Size(6, 32)
"""Shorter runs that use other attributes and functions are similar by chance."""


@dataclass(frozen=True)
class _Steps:
    """Consecutive statements of a function, and the shape that they share with similar ones."""

    path: str
    first_line: int
    last_line: int
    scope: Scope
    shape: tuple[str, ...]


def repeated_steps(program: Program, known_lines: set[tuple[str, int]]) -> Iterator[Observation]:
    """Find every short run of statements that repeats one in an earlier function.

    Args:
        program: The program.
        known_lines: The lines, by path, of repetitions that are already known.
    """
    first_seen: dict[tuple[str, ...], _Steps] = {}
    last_line: dict[str, int] = {}
    for steps in (steps for module, scope in program.functions for steps in _runs(module, scope)):
        origin = first_seen.setdefault(steps.shape, steps)
        lines = {(steps.path, line) for line in range(steps.first_line, steps.last_line + 1)}
        is_known = steps.first_line <= last_line.get(steps.path, 0) or not known_lines.isdisjoint(lines)
        if is_known or origin.scope in steps.scope.visible_scopes():
            continue
        last_line[steps.path] = steps.last_line
        message = f"lines {steps.first_line} to {steps.last_line} repeat {origin.path}:{origin.first_line}"
        yield Observation(steps.path, steps.first_line, message)


def _runs(module: Module, scope: Scope) -> Iterator[_Steps]:
    """For each statement, the shortest run from it that is long enough to compare, and the shortest for twins."""
    local = scope.local_names
    for block in blocks(scope):
        sizes = [_size(node) for node in block]
        for start, least in itertools.product(range(len(block)), (_MIN_SIZE, _MIN_TWIN_SIZE)):
            if run := _shortest_run(block, sizes, start, least):
                shape = _exact_shape(run, local) if least is _MIN_SIZE else _twin_shape(run)
                yield _Steps(module.path, run[0].lineno, run[-1].end_lineno or run[-1].lineno, scope, shape)


def _shortest_run(block: list[ast.stmt], sizes: list[_Size | None], start: int, least: _Size) -> list[ast.stmt]:
    """The shortest run of a block from one statement on that reaches a size; empty if there is none."""
    statements = nodes = 0
    for end in range(start, len(block)):
        size = sizes[end]
        if size is None:
            break
        statements, nodes = statements + size.statements, nodes + size.nodes
        if statements >= least.statements and nodes >= least.nodes:
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


def _exact_shape(run: list[ast.stmt], local: set[str]) -> tuple[str, ...]:
    """The nodes of statements, ignoring names of locals and texts."""
    return tuple(
        "local" if isinstance(node, ast.Name) and node.id in local else node_word(node)
        for statement in run
        for node in _nodes(statement)
    )


def _twin_shape(run: list[ast.stmt]) -> tuple[str, ...]:
    """The nodes of statements, with each name replaced by a number in order of appearance.

    An attribute of ``self`` counts as a name, because one function may store in the object what another stores in
    locals.
    """
    numbers: dict[str, str] = {}
    node_texts = list[str]()
    for node in itertools.chain.from_iterable(_nodes(statement) for statement in run):
        node_text = node_word(node)
        match node:
            case ast.Name(id="self"):
                pass
            case ast.Name() | ast.Attribute(value=ast.Name(id="self")):
                node_texts.append(numbers.setdefault(node_text, f"name {len(numbers)}"))
            case ast.Attribute():
                node_texts.append(numbers.setdefault(node_text, f"attribute {len(numbers)}"))
            case _:
                node_texts.append(node_text)
    return tuple(node_texts)


def node_word(node: ast.AST) -> str:
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
