"""The test in a claim, read before it is run: it must be one function that can only see what a program does.

The sandbox contains whatever runs. These bounds are for the proof: a test that looks at private names, at source or at
the harness would tell the submission from right programs by something else than behaviour.
"""

import ast
from collections.abc import Collection, Iterator

from evalforge.evidence.static.source import UnreadableError, parse
from evalforge.model.text import clean_line

MAX_CHARS = 4_000
MAX_LINES = 60
_FIXTURES = frozenset({"tmp_path", "monkeypatch", "capsys"})
_STANDARD_MODULES = frozenset(
    """
    asyncio collections collections.abc contextlib dataclasses datetime decimal fractions io itertools json math pathlib
    pytest random re subprocess sys threading time typing
    """.split()
)
_REFUSED_NAMES = frozenset(
    {"compile", "delattr", "dir", "eval", "exec", "getattr", "globals", "help", "locals", "setattr", "vars"}
)
"""Built-in functions that reach names by their text, or run other text."""
_THROWAWAY = "_"


class ClaimError(Exception):
    """A claim can't be run as it is written. The message says why."""


def check_test(source: str, entry_modules: Collection[str]) -> None:
    """Check the test of a claim.

    Args:
        source: The source of the function.
        entry_modules: The modules of the program that the contract names.

    Raises:
        ClaimError: The source isn't one function within the bounds.
    """
    for node in ast.walk(_parse_function(source)):
        for module in _imported_modules(node):
            if module not in entry_modules and module not in _STANDARD_MODULES:
                raise ClaimError(f"its test imports {clean_line(module, 60)}")
        is_refused = isinstance(node, ast.Name) and node.id in _REFUSED_NAMES
        for name in _used_names(node):
            if is_refused or (name.startswith("_") and name != _THROWAWAY):
                raise ClaimError(f"its test uses {clean_line(name, 60)}")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list:
            raise ClaimError("its test has a decorator")


def _parse_function(source: str) -> ast.FunctionDef:
    if len(source) > MAX_CHARS or source.count("\n") > MAX_LINES:
        raise ClaimError(f"its test is longer than {MAX_LINES} lines or {MAX_CHARS:,} characters")
    try:
        statements = parse(source).body
    except UnreadableError as error:
        raise ClaimError(f"its test isn't valid Python ({error.message})") from None
    function = statements[0] if len(statements) == 1 else None
    if not isinstance(function, ast.FunctionDef):
        raise ClaimError("its test isn't one function, with its imports inside")
    if not function.name.startswith("test_"):
        raise ClaimError("its function isn't named test_...")
    if not _takes_fixtures_only(function.args):
        raise ClaimError(f"its test takes more than {', '.join(sorted(_FIXTURES))}")
    return function


def _takes_fixtures_only(arguments: ast.arguments) -> bool:
    others = (arguments.posonlyargs, arguments.kwonlyargs, arguments.vararg, arguments.kwarg, arguments.defaults)
    return not any(others) and all(argument.arg in _FIXTURES for argument in arguments.args)


def _imported_modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return ["." * node.level + (node.module or "")] if isinstance(node, ast.ImportFrom) else []


def _used_names(node: ast.AST) -> Iterator[str]:
    """The names that one node reads, sets or imports."""
    match node:
        case ast.Name():
            yield node.id
        case ast.Attribute():
            yield node.attr
        case ast.alias():
            yield from filter(None, (node.name, node.asname))
        case _:
            return
