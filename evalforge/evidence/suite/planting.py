"""A pack's right programs in the form in which tests run on them, and its impostors as changes to them."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from evalforge.evidence.static import is_test_file
from evalforge.evidence.suite.mutant import Mutant
from evalforge.model.errors import PackError
from evalforge.packs.impostors import Impostor, RightProgram, plant

_SKIPPED_FOLDERS = frozenset({"tests", "test", "__pycache__"})
_QUOTES = '"""'
"""The quotes that begin docstrings."""
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class StatementLines(NamedTuple):
    """The first and last lines of a statement, and its scope.

    Attributes:
        first: Its first line.
        last: Its last line; for a compound statement, the last line of its head.
        scope: The qualified name of the function or class that it is in.
        is_called: Whether it runs when a function is called; if not, it runs on import.
    """

    first: int
    last: int
    scope: str
    is_called: bool


def read_program(pack: Path, program: RightProgram) -> dict[str, str]:
    """Read the Python files of a right program, without its tests, by relative path."""
    root = program.path(pack)
    paths = (path for path in sorted(root.rglob("*.py")) if _SKIPPED_FOLDERS.isdisjoint(path.relative_to(root).parts))
    sources = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {path: source for path, source in sources.items() if not is_test_file(path)}


def bare_program(files: Mapping[str, str]) -> dict[str, str]:
    """The files of a program, each passed through ``without_docstrings``."""
    return {path: without_docstrings(source) for path, source in files.items()}


def without_docstrings(source: str) -> str:
    """Blank the docstrings of source, keeping everything else in its place.

    One character of each is kept, because programs may show the first line of their docstring.
    """
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _Documented) and (docstring := _docstring_node(node)):
            first, last = docstring.lineno - 1, (docstring.end_lineno or docstring.lineno) - 1
            indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
            text = '"-"' if first == last else '"""-'
            rest_of_line = lines[last].encode()[docstring.end_col_offset or 0 :].decode()
            if first == last:
                lines[first] = indent + text + rest_of_line
            else:
                lines[first] = indent + text
                lines[first + 1 : last] = [""] * (last - first - 1)
                lines[last] = indent + '"""' + rest_of_line
    return "\n".join(lines)


def _docstring_node(node: _Documented) -> ast.Expr | None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def plant_impostors(
    impostors: Iterable[Impostor], program: str, original: Mapping[str, str], bare_program: Mapping[str, str]
) -> list[Mutant]:
    """The impostors of one right program, as changes of it without docstrings.

    Raises:
        PackError: A change doesn't fit the program.
    """
    statements = {path: read_statements(source) for path, source in bare_program.items()}
    mutants: list[Mutant] = []
    for impostor in impostors:
        if impostor.of != program:
            continue
        try:
            wrong = plant(bare_program, impostor)
            documented_files = {change.file for change in impostor.change if _QUOTES in change.new}
        except PackError:  # the replaced lines contain a docstring
            wrong = plant(original, impostor)
            documented_files = {change.file for change in impostor.change}
        wrong |= {path: without_docstrings(wrong[path]) for path in documented_files}
        paths = dict.fromkeys(change.file for change in impostor.change)
        first, *others = (_difference(path, bare_program[path], wrong[path], statements[path]) for path in paths)
        is_called = all(mutant.is_called for mutant in (first, *others))
        meaning = f"{impostor.id} {impostor.clause} {impostor.says} {impostor.fault} {impostor.riddle}"
        mutant = replace(first, is_called=is_called, copies=tuple(others), impostor_id=impostor.id, meaning=meaning)
        mutants.append(mutant)
    return mutants


def move_mutant(mutant: Mutant, folder: str, blank_lines: int) -> Mutant:
    """Move a change to a file in another folder, below some blank lines.

    Args:
        mutant: The change.
        folder: The folder, with a slash at its end; empty for none.
        blank_lines: How many lines were added before the file's first.
    """
    return replace(
        mutant,
        path=folder + mutant.path,
        line=mutant.line + blank_lines,
        last_line=mutant.last_line + blank_lines,
        start=mutant.start + blank_lines,  # each blank line is one byte
        end=mutant.end + blank_lines,
        copies=tuple(move_mutant(copy, folder, blank_lines) for copy in mutant.copies),
    )


def _difference(path: str, right: str, wrong: str, statements: Sequence[StatementLines]) -> Mutant:
    """The change that turns one source into another, as a single span."""
    start = _same_length(right, wrong)
    same_end = _same_length(right[start:][::-1], wrong[start:][::-1])
    end = len(right) - same_end
    line, last_line = right.count("\n", 0, start) + 1, right.count("\n", 0, end) + 1
    if start == end:  # an inserted line runs when the line above it does
        line = max(1, line - 1)
    touched = [statement for statement in statements if statement.first <= last_line and line <= statement.last]
    return Mutant(
        path=path,
        line=min((statement.first for statement in touched), default=line),
        last_line=max((statement.last for statement in touched), default=last_line),
        scope=next((statement.scope for statement in touched), ""),
        is_called=bool(touched) and all(statement.is_called for statement in touched),
        start=len(right[:start].encode()),
        end=len(right[:end].encode()),
        replacement=wrong[start : len(wrong) - same_end],
        original=right[start:end],
        original_excerpt="",
        replacement_excerpt="",
    )


def _same_length(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def read_statements(source: str) -> list[StatementLines]:
    """The lines of every statement; for a compound statement, those of its head."""
    statements: list[StatementLines] = []

    def visit(body: list[ast.stmt], scope: str, is_called: bool) -> None:
        for node in body:
            blocks = [block for block in _blocks_of(node) if block]
            last = max(node.lineno, blocks[0][0].lineno - 1) if blocks else node.end_lineno or node.lineno
            statements.append(StatementLines(node.lineno, last, scope, is_called))
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            inner = f"{scope}.{node.name}".lstrip(".") if isinstance(node, ast.ClassDef) or is_function else scope
            for block in blocks:
                visit(block, inner, is_called or is_function)

    visit(ast.parse(source).body, "", is_called=False)
    return statements


def _blocks_of(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The lists of statements within a statement."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for part in getattr(node, name, ()):
            if isinstance(part, ast.stmt):
                yield getattr(node, name)
                break
            yield part.body
