"""Repeated code: runs of lines that are the same, whatever their locals are called."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.scopes import Scope, docstring_of

MIN_REPEATED_LINES = 6
"""Lines that must repeat before it counts."""
_MIN_STATEMENTS = 4
_MIN_DIFFERENT_LINES = 4


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of code; ``content_id`` is equal for lines with the same nodes and names, locals aside."""

    path: str
    number: int
    content_id: int
    starts_statement: bool


def duplicate_blocks(modules: list[Module]) -> Iterator[Observation]:
    """Every run of at least ``SHORTEST`` lines that repeats an earlier one, as long as it goes."""
    content_ids: dict[tuple[str, ...], int] = {}
    lines = [line for module in modules for line in _lines(module, content_ids)]
    first_seen: dict[tuple[int, ...], int] = {}
    start = 0
    while start + MIN_REPEATED_LINES <= len(lines):
        window = lines[start : start + MIN_REPEATED_LINES]
        key = tuple(line.content_id for line in window)
        earlier = first_seen.setdefault(key, start)
        if earlier + MIN_REPEATED_LINES > start or not _is_one_block(window) or not _has_substance(window):
            start += 1
            continue
        length = MIN_REPEATED_LINES
        while (
            start + length < len(lines) and earlier + length < start and _repeats_further(lines, start, earlier, length)
        ):
            length += 1
        first, last, origin = lines[start], lines[start + length - 1], lines[earlier]
        message = f"lines {first.number} to {last.number} repeat {origin.path}:{origin.number}"
        yield Observation(first.path, first.number, message)
        start += length


def _is_one_block(window: list[_Line]) -> bool:
    return window[0].path == window[-1].path


def _has_substance(window: list[_Line]) -> bool:
    """Tables of data and rows of one same statement repeat by nature."""
    different = len({line.content_id for line in window})
    return different >= _MIN_DIFFERENT_LINES and sum(line.starts_statement for line in window) >= _MIN_STATEMENTS


def _repeats_further(lines: list[_Line], start: int, earlier: int, length: int) -> bool:
    now, then = lines[start + length], lines[earlier + length]
    return now.content_id == then.content_id and now.path == lines[start].path and then.path == lines[earlier].path


def _lines(module: Module, content_ids: dict[tuple[str, ...], int]) -> Iterator[_Line]:
    texts: dict[int, list[tuple[int, str]]] = {}
    starts = set[int]()
    for scope in module.scopes:
        skipped = _skipped_node_ids(scope)
        starts.update(placed.node.lineno for placed in scope.statements if id(placed.node) not in skipped)
        local = set[str]().union(
            *(around.bound_names for around in scope.visible_scopes() if around.function is not None)
        )
        for node in scope.all_nodes():
            line: int | None = getattr(node, "lineno", None)
            if line is not None and id(node) not in skipped:
                column: int = getattr(node, "col_offset", 0)
                texts.setdefault(line, []).append((column, _node_text(node, local)))
    for number in sorted(texts):
        words = tuple(word for _, word in sorted(texts[number]))
        yield _Line(module.path, number, content_ids.setdefault(words, len(content_ids)), number in starts)


def _skipped_node_ids(scope: Scope) -> set[int]:
    """The ids of docstrings and imports, which repeat by nature."""
    docstring = docstring_of(scope.node)
    skipped = {id(docstring), id(docstring.value)} if docstring is not None else set[int]()
    for node in (*scope.nodes(ast.Import), *scope.nodes(ast.ImportFrom), *scope.nodes(ast.alias)):
        skipped.add(id(node))
    return skipped


def _node_text(node: ast.AST, local: set[str]) -> str:
    """A node's own content as text, its place and the names of locals and definitions aside."""
    match node:
        case ast.Name(id=name):
            text = "" if name in local else name
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
            text = name
        case ast.Constant(value=value):
            text = hex(value) if isinstance(value, int) else f"{type(value).__name__} {value!r}"
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            text = type(op).__name__
        case ast.Compare(ops=ops):
            text = " ".join(type(op).__name__ for op in ops)
        case _:
            text = ""
    return f"{type(node).__name__} {text}"
