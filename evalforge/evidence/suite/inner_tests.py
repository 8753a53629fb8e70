"""Inner tests: those that need names of the player's program that aren't in the contract, and so can't run on others.

They are found from the source alone. Only tests that fail on a right program matter, so a few too many do no harm.
"""

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

from evalforge.evidence.static.source import UnreadableError, parse

_ATTRIBUTE_MISSING = re.compile(r"^AttributeError: '(\w+)' object has no attribute '(\w+)'")
_BUILT_IN_TYPES = frozenset(dir(builtins)) | {"NoneType", "function", "method", "module", "coroutine", "generator"}
_WORD = re.compile(r"[A-Za-z_]\w*")
_RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex", "expect"})
_EXCEPTION_NAME = re.compile(r"(Error|Exception|Warning|Exit|Interrupt|Iteration)$")
_COMMON_NAMES = frozenset(
    name
    for kind in (str, bytes, int, float, list, tuple, dict, set, Path, CompletedProcess, Exception)
    for name in dir(kind)
) | {"args", "returncode", "stdout", "stderr", "self", "cls", "name", "path", "value", "key"}


@dataclass(frozen=True)
class InnerNames:
    """The names that the player's program has and the contract doesn't.

    Attributes:
        top_level: The top-level names of its modules, including those in the contract.
        errors: Those top-level names that are exceptions.
        identifiers: Every name that it defines anywhere, without those of the contract and of Python's own types.
        modules: The dotted names of its modules other than the entry.
        defined: Every name that it defines anywhere.
    """

    top_level: frozenset[str]
    errors: frozenset[str]
    identifiers: frozenset[str]
    modules: frozenset[str]
    defined: frozenset[str] = frozenset()


NO_INNER_NAMES = InnerNames(frozenset(), frozenset(), frozenset(), frozenset())


def contract_words(contract: str) -> frozenset[str]:
    """Every word of a contract that could be a name in a program."""
    return frozenset(_WORD.findall(contract))


def find_inner_names(sources: Iterable[str], modules: Iterable[str], known_names: frozenset[str]) -> InnerNames:
    """Find the names that a program has beyond the known ones."""
    top_level: set[str] = set()
    bases: dict[str, set[str]] = {}
    defined: set[str] = set()
    for tree in _readable(sources):
        for node in tree.body:
            top_level.update(_bound_names(node))
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {_last_name(base) for base in node.bases}
        defined.update(name for node in ast.walk(tree) for name in _bound_names(node))
    errors = {name for name in bases if _is_error(name, bases, frozenset())}
    identifiers = {name for name in defined if len(name) > 1} - known_names - _COMMON_NAMES
    return InnerNames(
        frozenset(top_level), frozenset(errors), frozenset(identifiers), frozenset(modules), frozenset(defined)
    )


def top_level_names(sources: Iterable[str]) -> frozenset[str]:
    """The names at the top of a program's modules."""
    return frozenset(name for tree in _readable(sources) for node in tree.body for name in _bound_names(node))


def _readable(sources: Iterable[str]) -> Iterator[ast.Module]:
    for source in sources:
        try:
            yield parse(source)
        except UnreadableError:
            continue


def _bound_names(node: ast.AST) -> Iterator[str]:
    """The names that one node binds: what it defines, imports or assigns, and its parameters."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.Assign):
        yield from (name for target in node.targets for name in _target_names(target))
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        yield from _target_names(node.target)
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.If | ast.Try):
        yield from (name for inner in ast.iter_child_nodes(node) for name in _bound_names(inner))


def _target_names(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_error(name: str, bases: Mapping[str, set[str]], seen_names: frozenset[str]) -> bool:
    if name in seen_names:
        return False
    if name not in bases:
        return bool(_EXCEPTION_NAME.search(name))
    return any(_is_error(base, bases, seen_names | {name}) for base in bases[name])


class TestUses:
    """Finds the identifiers that tests use, directly or through helpers, fixtures and constants in their files.

    Args:
        sources: The test files and their helpers, by path.
        inner: The names that only the player's program has.
        entry: The name of its entry module.
        usual_names: Names of the starter and of all right programs that aren't in the contract.
    """

    def __init__(
        self, sources: Mapping[str, str], inner: InnerNames, entry: str, usual_names: frozenset[str] = frozenset()
    ) -> None:
        self._inner = inner
        self._usual_names = usual_names
        self._modules = inner.modules | {entry}
        self._imported_names: dict[str, set[str]] = defaultdict(set)
        """The names of the program by the names that the tests' files give them."""
        self._uses: dict[str, set[str]] = defaultdict(set)
        """The names that a test, a helper or a constant uses, by its own name."""
        self._lines: dict[str, int] = {}
        # A fixture, parameter or import of the tests has its own meaning, even if the program uses the same name.
        self._own_names: set[str] = set()
        for path, source in sources.items():
            for tree in _readable([source]):
                self._read_module(path, tree)

    def line_of(self, test: str) -> int | None:
        """The line where a test's function begins; a test is named as in pytest: ``a/test_b.py::TestC::test_d[1]``."""
        return self._lines.get(test.partition("[")[0])

    def tests_in(self, path: str) -> list[str]:
        """The names of the tests in one file."""
        return [name for name in self._lines if name.startswith(f"{path}::")]

    def uses_inner_names(self, test: str) -> bool:
        """Whether a test uses names that aren't in the contract, other than as an expected error."""
        return not self._inner.identifiers.isdisjoint(self._names_of_program(test))

    def uses_usual_names(self, test: str) -> bool:
        """Whether a test uses names of right programs that aren't in the contract, such as ``main``."""
        return not self._usual_names.isdisjoint(self._names_of_program(test))

    def _names_of_program(self, test: str) -> set[str]:
        used_names = self._all_used(test)
        imported = {original for name in used_names for original in self._imported_names.get(name, ())}
        return (used_names - self._own_names) | imported

    def misses_own_attribute(self, message: str) -> bool:
        """Whether a test fails because of an attribute that only the player's program has.

        Args:
            message: Its failure, such as ``AttributeError: 'Titan' object has no attribute 'path'``.
        """
        missing = _ATTRIBUTE_MISSING.match(message)
        return bool(missing) and missing[1] not in _BUILT_IN_TYPES and missing[2] in self._inner.defined

    def takes_names_beside(self, test: str, names: frozenset[str]) -> bool:
        """Whether a test imports a name of the program that is neither in the contract nor one of these."""
        imported = {original for name in self._all_used(test) for original in self._imported_names.get(name, ())}
        return bool((imported & self._inner.identifiers) - names)

    def _all_used(self, test: str) -> set[str]:
        """Every name that a test uses, directly or through functions and constants in its file."""
        names = {test.partition("[")[0], *test.partition("[")[0].split("::")[1:]}
        used_names: set[str] = set()
        while names:
            name = names.pop()
            used_names.add(name)
            names |= self._uses.get(name, set()) - used_names
        return used_names

    def _read_module(self, path: str, tree: ast.Module) -> None:
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                self._read_class(path, node)
            else:
                self._record_uses(node, path)
        modules = {alias.asname or alias.name for alias in _imported_modules(tree) if alias.name in self._modules}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in self._modules:
                for alias in node.names:
                    self._imported_names[alias.asname or alias.name].add(alias.name)
            else:
                self._own_names.update(_bound_names(node))
            if isinstance(node, ast.Attribute) and _last_name(node.value) in modules:
                self._imported_names[node.attr].add(node.attr)

    def _read_class(self, path: str, node: ast.ClassDef) -> None:
        for inner in node.body:
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and inner.name.startswith("test"):
                name = f"{path}::{node.name}::{inner.name}"
                self._record_function(name, inner)
            else:
                self._uses[node.name] |= _used_names(inner)

    def _record_function(self, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._lines[name] = node.lineno
        self._uses[name] |= _used_names(node)

    def _record_uses(self, node: ast.stmt, path: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._record_function(f"{path}::{node.name}" if node.name.startswith("test") else node.name, node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                self._uses[(alias.asname or alias.name).partition(".")[0]] |= {alias.name.rpartition(".")[2]}
        else:
            for name in _bound_names(node):
                self._uses[name] |= _used_names(node)


def _imported_modules(tree: ast.Module) -> Iterator[ast.alias]:
    """Every module that a file imports as a whole."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from node.names


def _used_names(node: ast.AST) -> set[str]:
    """Every name in a piece of code, except the errors that it expects."""
    names: set[str] = set()
    pending: list[ast.AST] = [node]
    while pending:
        part = pending.pop()
        children = list(ast.iter_child_nodes(part))
        if isinstance(part, ast.Call) and _last_name(part.func) in _RAISES:
            children = [child for child in children if child not in part.args[:1]]
        elif isinstance(part, ast.ExceptHandler):
            children = list(part.body)
        if isinstance(part, ast.Name):
            names.add(part.id)
        elif isinstance(part, ast.Attribute):
            names.add(part.attr)
        elif isinstance(part, ast.keyword | ast.arg) and part.arg:
            names.add(part.arg)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            names.update(part.value.split(".") if part.value.replace(".", "").isidentifier() else ())
        pending += children
    return names
