"""The places where the program starts, and where it reads its arguments."""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import MAIN_NAMES, Module, is_main_guard

_PARSER_LIBRARIES = frozenset({"argparse", "click", "typer", "optparse"})


def main_guards(modules: list[Module]) -> Iterator[Observation]:
    """Find every main guard; a ``__main__.py`` counts as one."""
    for module in modules:
        if module.is_main_file:
            yield Observation(module.path, 0, "is what python -m runs")
        for node in module.tree.body:
            if is_main_guard(node):
                yield Observation(module.path, node.lineno, "guards the start of the program")


def main_functions(modules: list[Module]) -> Iterator[Observation]:
    """Find top-level functions that start the program: by name, by main guard, or as a command."""
    for module in modules:
        for scope in module.functions:
            if scope.parent is not module.root or scope.function is None:
                continue
            decorators = (node.func if isinstance(node, ast.Call) else node for node in scope.function.decorator_list)
            command = any(isinstance(node, ast.Attribute) and node.attr == "command" for node in decorators)
            called = scope.name in module.entry_functions and not scope.name.startswith("__")
            if command or called or scope.name in MAIN_NAMES:
                yield Observation(module.path, scope.function.lineno, "starts the program", scope.name)


def argument_parsers(modules: list[Module]) -> Iterator[Observation]:
    """Find where argparse, click, typer or optparse is used, not only imported."""
    for module in modules:
        names = {name for name, origin in module.imports.items() if origin.split(".")[0] in _PARSER_LIBRARIES}
        if not names:
            continue
        uses = [node for scope in module.scopes for node in scope.nodes(ast.Name) if node.id in names]
        if uses:
            line = min(node.lineno for node in uses)
            yield Observation(module.path, line, "reads the command line", module.imports[uses[0].id].split(".")[0])
