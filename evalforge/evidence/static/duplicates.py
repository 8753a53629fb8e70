"""Repeated code: runs of lines that are the same except for names of locals."""

import ast
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import DEFINITIONS, Scope, blocks, children, docstring_of

# Short repeated steps: the same few statements in two functions, whatever their names and texts.

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


MIN_REPEATED_LINES = 6
"""The fewest repeated lines that count."""
_MIN_STATEMENTS = 4
"""The fewest statements of one function that make a block."""
_MIN_SCATTERED_STATEMENTS = 8
"""Several similar small methods in a row don't bother readers, such as ``put`` and ``get`` of two kinds of queue."""
_MIN_DIFFERENT_LINES = 4


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of code.

    Attributes:
        path: The file's path.
        number: The line number.
        content_id: Equal for lines with the same nodes and names, locals aside.
        starts_statement: Whether a statement begins on it.
        scope: The function in which a statement other than a definition begins on it.
    """

    path: str
    number: int
    content_id: int
    starts_statement: bool
    scope: Scope | None


def duplicate_blocks(program: Program) -> Iterator[Observation]:
    """Find runs of lines that repeat earlier ones, and short runs of steps that occur in another function."""
    repeated_lines = set[tuple[str, int]]()
    for path, first_line, last_line, message in _repeated_runs(program.modules):
        repeated_lines |= {(path, line) for line in range(first_line, last_line + 1)}
        yield Observation(path, first_line, message)
    yield from repeated_steps(program, repeated_lines)


def _repeated_runs(modules: list[Module]) -> Iterator[tuple[str, int, int, str]]:
    """Path, first and last line, and message of every run of at least ``MIN_REPEATED_LINES`` that repeats another."""
    content_ids: dict[tuple[str, ...], int] = {}
    lines = [line for module in modules for line in _lines(module, content_ids)]
    first_seen: dict[tuple[int, ...], int] = {}
    start = 0
    while start + MIN_REPEATED_LINES <= len(lines):
        window = lines[start : start + MIN_REPEATED_LINES]
        key = tuple(line.content_id for line in window)
        earlier_start = first_seen.setdefault(key, start)
        if earlier_start + MIN_REPEATED_LINES > start or window[0].path != window[-1].path or not _has_variety(window):
            start += 1
            continue
        length = MIN_REPEATED_LINES
        while (
            start + length < len(lines)
            and earlier_start + length < start
            and _repeats_further(lines, start, earlier_start, length)
        ):
            length += 1
        if not _is_worth_sharing(lines[start : start + length]):
            start += 1
            continue
        first, last, origin = lines[start], lines[start + length - 1], lines[earlier_start]
        message = f"lines {first.number} to {last.number} repeat {origin.path}:{origin.number}"
        yield first.path, first.number, last.number, message
        start += length


def _has_variety(window: list[_Line]) -> bool:
    """Whether lines differ enough, because tables of data and rows of the same statement repeat by nature."""
    different = len({line.content_id for line in window})
    return different >= _MIN_DIFFERENT_LINES and sum(line.starts_statement for line in window) >= _MIN_STATEMENTS


def _is_worth_sharing(lines: list[_Line]) -> bool:
    """Whether a single function could replace both runs, or they are many small ones."""
    statements = Counter(line.scope for line in lines if line.scope is not None)
    return max(statements.values(), default=0) >= _MIN_STATEMENTS or statements.total() >= _MIN_SCATTERED_STATEMENTS


def _repeats_further(lines: list[_Line], start: int, earlier_start: int, length: int) -> bool:
    line, earlier_line = lines[start + length], lines[earlier_start + length]
    return (
        line.content_id == earlier_line.content_id
        and line.path == lines[start].path
        and earlier_line.path == lines[earlier_start].path
    )


def _lines(module: Module, content_ids: dict[tuple[str, ...], int]) -> Iterator[_Line]:
    texts: dict[int, list[tuple[int, str]]] = {}
    starts = set[int]()
    scopes: dict[int, Scope] = {}
    for scope in module.scopes:
        skipped = _skipped_node_ids(scope)
        for statement in scope.statements:
            if id(statement.node) not in skipped:
                starts.add(statement.node.lineno)
                if not isinstance(statement.node, DEFINITIONS):
                    scopes.setdefault(statement.node.lineno, scope)
        local = scope.local_names
        for node in scope.all_nodes():
            line: int | None = getattr(node, "lineno", None)
            if line is not None and id(node) not in skipped:
                column: int = getattr(node, "col_offset", 0)
                texts.setdefault(line, []).append((column, _node_text(node, local)))
    for number in sorted(texts):
        words = tuple(word for _, word in sorted(texts[number]))
        yield _Line(
            module.path, number, content_ids.setdefault(words, len(content_ids)), number in starts, scopes.get(number)
        )


def _skipped_node_ids(scope: Scope) -> set[int]:
    """The ids of nodes in docstrings and imports, which repeat by nature."""
    docstring = docstring_of(scope.node)
    skipped = {id(docstring), id(docstring.value)} if docstring is not None else set[int]()
    return skipped | {id(node) for node in scope.nodes(ast.Import, ast.ImportFrom, ast.alias)}


def _node_text(node: ast.AST, local: set[str]) -> str:
    """A node's own content as text, without its position and the names of locals and definitions."""
    match node:
        case ast.Name(id=name) if name in local:
            text = ""
        case ast.Constant(value=value):
            text = hex(value) if isinstance(value, int) else f"{type(value).__name__} {value!r}"
        case _:
            text = node_word(node)
    return f"{type(node).__name__} {text}"
