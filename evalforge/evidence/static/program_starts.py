"""The places where the program starts, and where it reads its arguments."""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import MAIN_NAMES
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import called

_PARSER_LIBRARIES = frozenset({"argparse", "click", "typer", "optparse"})


def main_guards(program: Program) -> Iterator[Observation]:
    """Find every main guard; a ``__main__.py`` counts as one."""
    for module in program.modules:
        if module.is_main_file:
            yield Observation(module.path, 0, "is what python -m runs")
        for node in module.main_guards:
            yield Observation(module.path, node.lineno, "guards the start of the program")


def main_functions(program: Program) -> Iterator[Observation]:
    """Find top-level functions that start the program: by name, by main guard, or as a command."""
    for module, scope in program.functions:
        decorators = map(called, scope.decorators)
        is_command = any(isinstance(node, ast.Attribute) and node.attr == "command" for node in decorators)
        is_called = scope.name in module.entry_functions and not scope.name.startswith("__")
        if scope.parent is module.root and (is_command or is_called or scope.name in MAIN_NAMES):
            yield Observation(module.path, scope.line, "starts the program", scope.name)


def argument_parsers(program: Program) -> Iterator[Observation]:
    """Find where argparse, click, typer or optparse is used, not only imported."""
    for module in program.modules:
        names = {name for name, origin in module.imports.items() if origin.split(".")[0] in _PARSER_LIBRARIES}
        uses = [node for scope in module.scopes for node in scope.nodes(ast.Name) if node.id in names]
        if uses:
            line = min(node.lineno for node in uses)
            yield Observation(module.path, line, "reads the command line", module.imports[uses[0].id].split(".")[0])
