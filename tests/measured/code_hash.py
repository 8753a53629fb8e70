"""A hash of the code that really runs: some modules and all that they import, without comments and docstrings."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.conftest import REPOSITORY

_PACKAGE = "evalforge"


def hash_parts(*parts: str | bytes) -> str:
    """SHA-256 of parts, each with its length; the first 16 hex digits."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()[:16]


def code_hash(modules: Iterable[str], files: Iterable[Path] = ()) -> str:
    """The hash of modules with all of ours that they import, however indirectly, and of other files without theirs.

    Args:
        modules: Dotted names, such as ``evalforge.sandbox.client``.
        files: Files that are run without being imported.
    """
    named = {name: _file_of(name) for name in imported_modules(modules)}
    paths = {*files, *(path for path in named.values() if path is not None)}
    return hash_parts(*(part for path in sorted(paths) for part in (str(path.relative_to(REPOSITORY)), _code_of(path))))


def imported_modules(modules: Iterable[str]) -> frozenset[str]:
    """Modules and all of ours that they import. The package itself, which holds the version, is none of them."""
    reached: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in reached and module != _PACKAGE:
            reached.add(module)
            waiting += _imports(module)
    return frozenset(reached)


def _file_of(module: str) -> Path | None:
    path = REPOSITORY.joinpath(*module.split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((candidate for candidate in candidates if candidate.is_file()), None)


@cache
def _imports(module: str) -> frozenset[str]:
    path = _file_of(module)
    assert path is not None, module
    return frozenset(name for node in ast.walk(_tree(path)) for name in _imported_by(node))


def _imported_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if _is_ours(alias.name))
    elif isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
        yield from (_home_of(node.module, alias.name) for alias in node.names)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == _PACKAGE and _file_of(module) is not None


@cache
def _home_of(module: str, name: str) -> str:
    """The module that defines a name: itself one, or the one from which a package's ``__init__`` has it."""
    if _file_of(f"{module}.{name}") is not None:
        return f"{module}.{name}"
    path = _file_of(module)
    if path is not None and path.name == "__init__.py":
        for node in _tree(path).body:
            if isinstance(node, ast.ImportFrom) and node.module and name in {alias.name for alias in node.names}:
                return _home_of(node.module, name)
    return module


@cache
def _tree(path: Path) -> ast.Module:
    """A module's syntax tree, without docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [statement for statement in node.body if not _is_text(statement)]
    return tree


@cache
def _code_of(path: Path) -> str:
    return ast.dump(_tree(path))


def _is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a lone string: a docstring, or the words below an attribute."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
