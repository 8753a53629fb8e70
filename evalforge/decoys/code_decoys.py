"""Decoys in the code: unused code beside a program, other names for what it does, and places that checks may skip."""

import ast
from pathlib import PurePosixPath

from evalforge.decoys.decoy import Decoy
from evalforge.decoys.decoy_program import DecoyProgram
from evalforge.decoys.rewriting import (
    CatchAllRenamer,
    DocstringWriter,
    NameReplacer,
    ValueWrapper,
    global_names,
    split_future_imports,
    with_preamble,
)
from evalforge.decoys.spare_code import DEAD_FUNCTIONS, DEAD_HANDLERS, PASS_THROUGH

_OTHER_NAMES = {"open": "spare_opened", "print": "spare_shown", "input": "spare_asked"}
_CATCH_ALL = "SpareFault"


def _add_dead_functions(program: DecoyProgram) -> DecoyProgram:
    return program.with_entry(program.entry.content + DEAD_FUNCTIONS)


def _add_dead_handlers(program: DecoyProgram) -> DecoyProgram:
    return program.with_entry(program.entry.content + DEAD_HANDLERS)


def _pass_values_through(program: DecoyProgram) -> DecoyProgram | None:
    wrapper = ValueWrapper([name for name, _ in PASS_THROUGH])
    tree = wrapper.visit(program.tree)
    if not wrapper.used_names:
        return None
    functions = "".join(source for name, source in PASS_THROUGH if name in wrapper.used_names)
    return program.with_entry(with_preamble(tree, functions))


def _write_hollow_docstrings(program: DecoyProgram) -> DecoyProgram:
    return program.with_entry(ast.unparse(DocstringWriter().visit(program.tree)))


def _give_other_names(program: DecoyProgram) -> DecoyProgram | None:
    """Call input, output and catch-all exceptions by other names."""
    preamble = f"{', '.join(_OTHER_NAMES.values())} = {', '.join(_OTHER_NAMES)}\n{_CATCH_ALL} = Exception\n"
    tree = CatchAllRenamer(_CATCH_ALL).visit(NameReplacer(_OTHER_NAMES).visit(program.tree))
    source = with_preamble(tree, preamble)
    return program.with_entry(source) if source != with_preamble(program.tree, preamble) else None


def _move_to_tests(program: DecoyProgram) -> DecoyProgram | None:
    if _has_relative_imports(program):
        return None
    body, guards = _without_guards(program.tree)
    started = {node.id for node in ast.walk(guards) if isinstance(node, ast.Name)}
    names = [name for name in global_names(body) if name in started]
    taking = "".join(f"from tests.impl import {name}\n" for name in ("*", *names))
    entry = f"{taking}{ast.unparse(guards)}\n{DEAD_FUNCTIONS}"
    folder = program.beside_entry("tests")
    files = {program.entry.path: entry, f"{folder}/__init__.py": "", f"{folder}/impl.py": ast.unparse(body)}
    return program.with_files(files)


def _hide_in_text(program: DecoyProgram) -> DecoyProgram:
    return program.with_entry(f"exec({program.entry.content!r})\n{DEAD_FUNCTIONS}")


def _hide_in_class(program: DecoyProgram) -> DecoyProgram | None:
    body, guards = _without_guards(program.tree)
    future, module = split_future_imports(body)
    stars = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in module.body)
    names = global_names(module)
    if stars or not names:
        return None
    shell = ast.ClassDef(
        name="SpareShell", bases=[], keywords=[], decorator_list=[], body=[ast.Global(names), *module.body]
    )
    shell.__dict__.setdefault("type_params", [])
    tree = ast.fix_missing_locations(ast.Module([*future, shell, *guards.body], []))
    return program.with_entry(f"{ast.unparse(tree)}\n{DEAD_FUNCTIONS}")


def _without_guards(tree: ast.Module) -> tuple[ast.Module, ast.Module]:
    """Split a module into everything but its ``__main__`` guards, and those guards' code."""
    guards = [node for node in tree.body if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)]
    return ast.Module([node for node in tree.body if node not in guards], []), ast.Module(list(guards), [])


def _has_relative_imports(program: DecoyProgram) -> bool:
    in_folder = PurePosixPath(program.entry.path).parent.name not in ("", "src")
    return in_folder or any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(program.tree))


ADDITIONS = (
    Decoy("ten documented functions that nothing calls", _add_dead_functions),
    Decoy("error handlers and log messages in a function that nothing calls", _add_dead_handlers),
    Decoy("functions that return the value they are given", _pass_values_through),
    Decoy("docstrings that repeat the name", _write_hollow_docstrings),
    Decoy("other names for open, print and Exception", _give_other_names),
)
"""Decoys that can be combined."""

HIDING_PLACES = (
    Decoy("moving the program to tests/impl.py, with ten dead functions in its place", _move_to_tests),
    Decoy("executing the program from a string, with ten dead functions beside it", _hide_in_text),
    Decoy("indenting the program into a class body, with ten dead functions below", _hide_in_class),
)
"""Decoys that each move the whole program."""
