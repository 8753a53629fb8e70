"""Repeated code: runs of lines that are the same except for names of locals."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.repeated_steps import node_word, repeated_steps
from evalforge.evidence.static.scopes import DEFINITIONS, Scope, docstring_of

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
