"""Copies of the program's functions among the tests, which mutants of those functions must change too.

Tests with a copy of the program compare it with itself. If only one of the two were changed, they would notice every
difference without knowing what is right.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from evalforge.evidence.forked_task import parsing
from evalforge.evidence.mutation.definitions import Definition, FileNames, Key
from evalforge.evidence.mutation.mutant import Mutant
from evalforge.evidence.mutation.source_bytes import SourceBytes

_MIN_COPIED_PARTS = 60
"""How many syntax nodes (about eight lines) a file must share with the program to count as a copy.

Two people who solve the same small problem may write the same few lines.
"""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "orelse", "finalbody")

IsProgram = Callable[[str, int], bool]
"""Returns whether the code of a line, given by path and number, belongs to the program."""


class FunctionCopies:
    """Extends mutants to copies of the functions that they change.

    Args:
        files: The submission's Python files, by path.
        is_program: Returns whether a line belongs to the program.
    """

    def __init__(self, files: Mapping[str, str], is_program: IsProgram) -> None:
        self._files = {path: file for path, text in files.items() if (file := _read_file(path, text))}
        self._is_program = is_program

    @cached_property
    def _places(self) -> dict[str, dict[Key, list[Definition]]]:
        """The definitions that are copies, by file and by comparison key."""
        program: set[Key] = set()
        definitions_by_path: dict[str, list[Definition]] = {}
        for path, file in self._files.items():
            definitions_by_path[path] = []
            for definition in file.definitions:
                if self._is_program(path, _first_line(definition.node)):
                    program.add(definition.key)
                else:
                    definitions_by_path[path].append(definition)
        copies = {
            path: [definition for definition in definitions if definition.key in program]
            for path, definitions in definitions_by_path.items()
        }
        return {path: _by_key(definitions) for path, definitions in copies.items() if _is_substantial(definitions)}

    def with_copies(self, mutant: Mutant) -> Mutant:
        """The same mutant, which also changes all copies of the code that it changes."""
        if not self._places or mutant.path not in self._files:
            return mutant
        file = self._files[mutant.path]
        original = file.definition_around(mutant.start, mutant.end)
        if original is None:
            return mutant
        copies = [
            change
            for path, places in self._places.items()
            for copy in file.choose_copies(original, places.get(original.key, []))
            if (change := _copied_mutant(mutant, file, original, self._files[path], copy)) is not None
        ]
        return replace(mutant, copies=tuple(copies)) if copies else mutant


class _File:
    """A file and its definitions: functions, and simple statements outside of functions."""

    def __init__(self, path: str, text: str, tree: ast.Module) -> None:
        self.path = path
        self.source = SourceBytes(text)
        names = FileNames(tree)
        self.definitions = [Definition(node, names) for node in _definitions(tree.body, within_function=False)]
        self._spans = [(self.source.span(definition.node), definition) for definition in self.definitions]

    def definition_around(self, start: int, end: int) -> Definition | None:
        """The innermost definition that contains a span."""
        enclosing = [definition for span, definition in self._spans if span[0] <= start and end <= span[1]]
        return enclosing[-1] if enclosing else None

    def choose_copies(self, original: Definition, candidates: list[Definition]) -> list[Definition]:
        """Choose which of several equal definitions is the copy of one in this file: by name, or by position."""
        namesakes = [candidate for candidate in candidates if candidate.name == original.name]
        twins = [definition for definition in self.definitions if definition.key == original.key]
        if namesakes or len(twins) != len(candidates):
            return namesakes or candidates
        return [candidates[next(rank for rank, twin in enumerate(twins) if twin is original)]]


def _copied_mutant(
    mutant: Mutant, file: _File, original: Definition, copied_file: _File, copy: Definition
) -> Mutant | None:
    """A mutant's change applied to a copy; None if it can't be expressed with the copy's names."""
    text = _renamed(mutant.replacement, _renaming(original, copy))
    node = _node_in_copy(mutant, file, original, copy)
    if text is None or node is None:
        return None
    start, end = copied_file.source.span(node)
    missing = copied_file.source.newlines(start, end) - text.count("\n")
    return replace(
        mutant,
        path=copied_file.path,
        line=node.lineno,
        last_line=node.end_lineno or node.lineno,
        start=start,
        end=end,
        replacement=f"({text}{chr(10) * missing})" if missing > 0 else text,
        original=copied_file.source.text(start, end),
        copies=(),
    )


def _node_in_copy(mutant: Mutant, file: _File, original: Definition, copy: Definition) -> ast.expr | ast.stmt | None:
    """The node of a copy that corresponds to a mutant's span in the original."""
    for part, copied_part in zip(original.parts, copy.parts, strict=True):
        if isinstance(part, ast.expr | ast.stmt) and file.source.span(part) == (mutant.start, mutant.end):
            return copied_part if isinstance(copied_part, ast.expr | ast.stmt) else None
    return None


def _renaming(original: Definition, copy: Definition) -> dict[str, str]:
    """The names that differ in a copy, by their original names: attributes as ``.name``, keywords as ``name=``."""
    renaming: dict[str, str] = {}
    for part, copied_part in zip(original.parts, copy.parts, strict=True):
        match part, copied_part:
            case ast.Name(id=name), ast.Name(id=other):
                renaming[name] = other
            case ast.arg(arg=name), ast.arg(arg=other):
                renaming[name] = other
            case ast.Attribute(attr=name), ast.Attribute(attr=other):
                renaming[f".{name}"] = f".{other}"
            case ast.keyword(arg=str(name)), ast.keyword(arg=str(other)):
                renaming[f"{name}="] = f"{other}="
            case _:
                pass
    return {name: other for name, other in renaming.items() if name != other}


def _renamed(replacement: str, renaming: Mapping[str, str]) -> str | None:
    """A span's replacement with the copy's names; None if it can't be expressed."""
    if not renaming:
        return replacement
    try:
        tree = ast.parse(replacement)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = renaming.get(node.id, node.id)
        elif isinstance(node, ast.Attribute):
            node.attr = renaming.get(f".{node.attr}", f".{node.attr}")[1:]
        elif isinstance(node, ast.keyword):
            node.arg = renaming.get(f"{node.arg}=", f"{node.arg}=")[:-1] if node.arg else None
    try:
        text = ast.unparse(tree)
    except (ValueError, RecursionError):
        return None
    return f"({text})" if all(isinstance(node, ast.Expr) for node in tree.body) else text


def _read_file(path: str, text: str) -> _File | None:
    try:
        with parsing():
            return _File(path, text, ast.parse(text.encode("utf-8", "surrogatepass")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _definitions(body: Iterable[ast.stmt], *, within_function: bool) -> Iterator[ast.stmt]:
    """Functions, and simple statements outside of functions; each before its inner ones."""
    for node in body:
        is_function = isinstance(node, _FUNCTIONS)
        blocks = [getattr(node, name, []) for name in _BLOCKS] + [
            part.body for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))
        ]
        if is_function or not (within_function or any(blocks)):
            yield node
        for block in blocks:
            yield from _definitions(block, within_function=within_function or is_function)


def _first_line(node: ast.stmt) -> int:
    """A line of a definition that isn't part of the code around it."""
    return node.body[0].lineno if isinstance(node, _FUNCTIONS) else node.lineno


def _by_key(definitions: Iterable[Definition]) -> dict[Key, list[Definition]]:
    by_key: dict[Key, list[Definition]] = defaultdict(list)
    for definition in definitions:
        by_key[definition.key].append(definition)
    return by_key


def _is_substantial(copies: Iterable[Definition]) -> bool:
    sizes = Counter({copy.key: len(copy.parts) for copy in copies if isinstance(copy.node, _FUNCTIONS)})
    return sizes.total() >= _MIN_COPIED_PARTS
