"""Copies of the program's functions among the tests, which mutants of those functions must change too.

Tests with a copy of the program compare it with itself. If only one of the two were changed, they would notice every
difference without knowing what is right.
"""

import ast
import builtins
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import cast

from evalforge.evidence.forked_task import parsing
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.mutant import Mutant, SourceBytes

# Comparison of functions, ignoring private names, docstrings and annotations.

_BUILTINS = frozenset(dir(builtins))
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ANNOTATIONS = frozenset({"annotation", "returns", "type_params"})
_IGNORED_FIELDS = frozenset({"type_comment", "kind", "asname", "simple"})
_NAME_FIELDS = frozenset(
    {(ast.Name, "id"), (ast.arg, "arg"), (ast.ExceptHandler, "name"), (ast.MatchAs, "name"), (ast.MatchStar, "name")}
    | {(ast.MatchMapping, "rest"), (ast.Global, "names"), (ast.Nonlocal, "names")}
    | {(kind, "name") for kind in _DEFINITIONS}
)

Key = tuple[tuple[object, ...], ...]


class FileNames:
    """The names of a file that have a meaning outside of it.

    Attributes:
        imports: The full names of imports from the standard library, by their names in the file.
        attributes: The attributes that the file sets, and its functions.
        parameters: The parameters of its functions.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.imports: dict[str, str] = {}
        self.attributes: set[str] = set()
        self.parameters: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._add_imports(node)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self.attributes.add(node.attr)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.attributes.add(node.name)
            elif isinstance(node, ast.arg):
                self.parameters.add(node.arg)

    def _add_imports(self, node: ast.Import | ast.ImportFrom) -> None:
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        is_relative = isinstance(node, ast.ImportFrom) and node.level > 0
        for alias in node.names:
            name = module + alias.name
            if name.partition(".")[0] in sys.stdlib_module_names and not is_relative:
                self.imports[alias.asname or alias.name.partition(".")[0]] = name

    def is_own(self, part: ast.AST) -> bool:
        """Whether an attribute or keyword is the file's own and may have any name; dunder names may not."""
        if isinstance(part, ast.Attribute):
            is_dunder = part.attr.startswith("__") and part.attr.endswith("__")
            return part.attr in self.attributes and not is_dunder
        return isinstance(part, ast.keyword) and part.arg in self.parameters


class Definition:
    """A function, or a statement outside of functions, in a comparable form.

    Attributes:
        node: Its syntax tree.
        parts: All nodes that matter, each before its inner ones.
        key: A hash that is equal for equal definitions.
    """

    def __init__(self, node: ast.stmt, names: FileNames) -> None:
        self.node = node
        self._names = names
        self._numbers: dict[str, int] = {}
        self.parts = list(_parts(node))
        self._bound = {
            name
            for part in self.parts
            if (isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)) or isinstance(part, ast.arg)
            for name in (part.id if isinstance(part, ast.Name) else part.arg,)
        }
        self.key: Key = tuple(self._label(part) for part in self.parts)

    @property
    def name(self) -> str:
        """The name that it defines or assigns."""
        if isinstance(self.node, _DEFINITIONS):
            return self.node.name
        targets = self.node.targets if isinstance(self.node, ast.Assign) else [getattr(self.node, "target", None)]
        return ", ".join(ast.unparse(target) for target in targets if target is not None)

    def _label(self, part: ast.AST) -> tuple[object, ...]:
        kind = "Assign" if isinstance(part, ast.AnnAssign) else type(part).__name__
        words = [
            self._field_text(part, name, value) for name, value in ast.iter_fields(part) if name not in _IGNORED_FIELDS
        ]
        return (kind, len(list(_inner_parts(part))), *(word for word in words if word is not None))

    def _field_text(self, part: ast.AST, field: str, value: object) -> str | None:
        """A field in comparable form; None if it is a node, or doesn't matter."""
        if (type(part), field) in _NAME_FIELDS:
            names = cast("list[str | None]", value if isinstance(value, list) else [value])
            return " ".join(self._name(name) for name in names if name is not None)
        if field in ("attr", "arg") and self._names.is_own(part):
            return self._number(f".{value}" if field == "attr" else f"{value}=")
        if isinstance(value, ast.AST | list) or (value is None and field != "value"):
            return None
        return f"{type(value).__name__} {value!r}"

    def _name(self, name: str) -> str:
        if name not in self._bound and (name in self._names.imports or name in _BUILTINS):
            return self._names.imports.get(name, name)
        return self._number(name)

    def _number(self, name: str) -> str:
        return str(self._numbers.setdefault(name, len(self._numbers)))


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    pending = [node]
    while pending:
        part = pending.pop()
        yield part
        pending.extend(reversed(list(_inner_parts(part))))


def _inner_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The direct inner nodes that matter."""
    for field, value in ast.iter_fields(node):
        if field in _ANNOTATIONS:
            continue
        children = cast("list[object]", value if isinstance(value, list) else [value])
        for index, child in enumerate(children):
            is_docstring = field == "body" and index == 0 and isinstance(node, _DEFINITIONS) and _is_text(child)
            is_bare = isinstance(child, ast.AnnAssign) and child.value is None
            if isinstance(child, ast.AST) and not (is_docstring or is_bare or isinstance(child, ast.expr_context)):
                yield child


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


_MIN_COPIED_PARTS = 60
"""How many syntax nodes (about eight lines) a file must share with the program to count as a copy.

Two people who solve the same small problem may write the same few lines.
"""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "orelse", "finalbody")

IsProgram = Callable[[str, int], bool]
"""Returns whether the code of a line, given by path and number, belongs to the program."""


class FunctionCopies:
    """Extends mutants to copies of the functions that they change."""

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
        changes = file.changes_in(original)
        copied_changes = [
            self._files[path].changes_in(copy)
            for path, places in self._places.items()
            for copy in file.choose_copies(original, places.get(original.key, []))
        ]
        number = changes.index(mutant)
        return replace(mutant, copies=tuple(each[number] for each in copied_changes if len(each) == len(changes)))


class _File:
    """A file and its definitions: functions, and simple statements outside of functions."""

    def __init__(self, path: str, text: str, tree: ast.Module) -> None:
        source, names = SourceBytes(text), FileNames(tree)
        self._path, self._text = path, text
        self.definitions = [Definition(node, names) for node in _definitions(tree.body, within_function=False)]
        self._spans = {definition: source.span(definition.node) for definition in self.definitions}
        self._changes: dict[Definition, list[Mutant]] = {}

    def definition_around(self, start: int, end: int) -> Definition | None:
        """The innermost definition that contains a span."""
        enclosing = [definition for definition, span in self._spans.items() if span[0] <= start and end <= span[1]]
        return enclosing[-1] if enclosing else None

    def changes_in(self, definition: Definition) -> list[Mutant]:
        """All mutants and equivalent changes in a definition; those in a copy of it are the same, in the same order."""
        if definition not in self._changes:
            first, end = self._spans[definition]
            self._changes[definition] = [
                mutant for mutant in self._all_changes if first <= mutant.start and mutant.end <= end
            ]
        return self._changes[definition]

    @cached_property
    def _all_changes(self) -> list[Mutant]:
        mutants, equivalents = find_mutants(self._path, self._text)
        return mutants + equivalents

    def choose_copies(self, original: Definition, candidates: list[Definition]) -> list[Definition]:
        """Choose which of several equal definitions is the copy of one in this file: by name, or by position."""
        namesakes = [candidate for candidate in candidates if candidate.name == original.name]
        twins = [definition for definition in self.definitions if definition.key == original.key]
        if namesakes or len(twins) != len(candidates):
            return namesakes or candidates
        return [candidates[next(rank for rank, twin in enumerate(twins) if twin is original)]]


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
