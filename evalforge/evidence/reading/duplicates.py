"""The same code twice: runs of lines that say the same, whatever their locals are called."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.evidence.reading.facts import Spot
from evalforge.evidence.reading.module import Module
from evalforge.evidence.reading.tree import Scope, docstring_of

SHORTEST = 6
"""Lines that must repeat before it counts."""
_FEWEST_STATEMENTS = 4
_FEWEST_DIFFERENT = 4


@dataclass(frozen=True, slots=True)
class _Line:
    """What a line of code says: the kinds and names of its nodes, its locals blanked."""

    path: str
    number: int
    says: int
    starts_statement: bool


def duplicate_blocks(modules: list[Module]) -> Iterator[Spot]:
    """Every run of at least ``SHORTEST`` lines that repeats an earlier one, as long as it goes."""
    known: dict[tuple[str, ...], int] = {}
    lines = [line for module in modules for line in _lines(module, known)]
    first_seen: dict[tuple[int, ...], int] = {}
    start = 0
    while start + SHORTEST <= len(lines):
        window = lines[start : start + SHORTEST]
        key = tuple(line.says for line in window)
        earlier = first_seen.setdefault(key, start)
        if earlier + SHORTEST > start or not _is_one_block(window) or not _has_substance(window):
            start += 1
            continue
        length = SHORTEST
        while start + length < len(lines) and earlier + length < start and _goes_on(lines, start, earlier, length):
            length += 1
        first, last, origin = lines[start], lines[start + length - 1], lines[earlier]
        message = f"lines {first.number} to {last.number} repeat {origin.path}:{origin.number}"
        yield Spot(first.path, first.number, message)
        start += length


def _is_one_block(window: list[_Line]) -> bool:
    return window[0].path == window[-1].path


def _has_substance(window: list[_Line]) -> bool:
    """Tables of data and rows of one same statement repeat by nature."""
    different = len({line.says for line in window})
    return different >= _FEWEST_DIFFERENT and sum(line.starts_statement for line in window) >= _FEWEST_STATEMENTS


def _goes_on(lines: list[_Line], start: int, earlier: int, length: int) -> bool:
    now, then = lines[start + length], lines[earlier + length]
    return now.says == then.says and now.path == lines[start].path and then.path == lines[earlier].path


def _lines(module: Module, known: dict[tuple[str, ...], int]) -> Iterator[_Line]:
    said: dict[int, list[tuple[int, str]]] = {}
    starts = set[int]()
    for scope in module.scopes:
        skipped = _skipped(scope)
        starts.update(placed.node.lineno for placed in scope.statements if id(placed.node) not in skipped)
        local = set[str]().union(*(around.bound for around in scope.lexical() if around.function is not None))
        for node in scope.every():
            line: int | None = getattr(node, "lineno", None)
            if line is not None and id(node) not in skipped:
                column: int = getattr(node, "col_offset", 0)
                said.setdefault(line, []).append((column, _word(node, local)))
    for number in sorted(said):
        words = tuple(word for _, word in sorted(said[number]))
        yield _Line(module.path, number, known.setdefault(words, len(known)), number in starts)


def _skipped(scope: Scope) -> set[int]:
    """The ids of docstrings and imports, which repeat by nature."""
    docstring = docstring_of(scope.node)
    skipped = {id(docstring), id(docstring.value)} if docstring is not None else set[int]()
    for node in (*scope.of(ast.Import), *scope.of(ast.ImportFrom), *scope.of(ast.alias)):
        skipped.add(id(node))
    return skipped


def _word(node: ast.AST, local: set[str]) -> str:
    """What a node says by itself, its place and the names of locals and definitions aside."""
    match node:
        case ast.Name(id=name):
            said = "" if name in local else name
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
            said = name
        case ast.Constant(value=value):
            said = hex(value) if isinstance(value, int) else f"{type(value).__name__} {value!r}"
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            said = type(op).__name__
        case ast.Compare(ops=ops):
            said = " ".join(type(op).__name__ for op in ops)
        case _:
            said = ""
    return f"{type(node).__name__} {said}"
