"""The names in a file of Python, and which of them no file of ours may use."""

import ast
from collections.abc import Iterator

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
# A value is named by a noun, with its unit where it has one.
NO_NAMES_OF_VALUES = frozenset(
    "alone apart behind broad found given gone known looked_at named near rest silent"
    " spoiled telling thin told untold".split()
)
# A method says what it does to what.
NO_NAMES_OF_FUNCTIONS = frozenset("ask drop end hear hold know note say sign stand take tell turn".split())


def plain(name: str) -> str:
    """A name without its case and its outer underscores."""
    return name.strip("_").lower()


def values(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Names of variables, parameters, attributes and constants, each with its line."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store(), lineno=line)
                | ast.Attribute(attr=name, ctx=ast.Store(), lineno=line)
                | ast.arg(arg=name, lineno=line)
            ):
                yield name, line


def definitions(tree: ast.Module) -> Iterator[ast.ClassDef | FUNCTIONS]:
    """Every class and function."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef | FUNCTIONS))
