"""A check of what trials import: their own helpers and installed modules, but never the player's program."""

import ast
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.trial_files import parse_trial_file
from evalforge.packs.lint.unchecked_pack import UncheckedPack


def import_faults(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield imports in a pack's trials that fail, or that would import the player's program."""
    folder = draft.path / "trials"
    entries = draft.boss.value.metadata.entry_files if draft.boss else ()
    programs = {Path(name).stem for name in entries}
    for path in sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts):
        tree, error, line = parse_trial_file(path)
        if error and not _is_trial_file(path):  # those are reported with the trials
            yield LintIssue(path, line, error, hides_others=True)
        for number in _relative_imports(tree):
            message = "trials are not a package: write `from helpers import ...` for what is in trials/helpers.py"
            yield LintIssue(path, number, message, hides_others=True)
        if path.parent == folder and path.stem in sys.stdlib_module_names:
            message = f"this file hides Python's own {path.stem}: give it another name, such as helpers.py"
            yield LintIssue(path, 1, message, hides_others=True)
        for number, name in _imported_modules(tree):
            own = folder / name
            if own.with_suffix(".py").is_file() or own.is_dir():
                continue
            if name in programs:
                message = f'trials don\'t import the program, which runs elsewhere: use player.module("{name}")'
                yield LintIssue(path, number, message, hides_others=True)
            elif not _can_be_imported(name):
                message = f"there is no module {name!r}: put a helper that trials share in {folder.name}/{name}.py"
                yield LintIssue(path, number, message, hides_others=True)


def _is_trial_file(path: Path) -> bool:
    return path.name.startswith("test_") or path.stem.endswith("_test")


def _relative_imports(tree: ast.Module) -> Iterator[int]:
    """Yield the line of each relative import."""
    yield from (node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level)


def _imported_modules(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the top-level name of each absolute import that trials themselves run.

    Imports within a ``try`` are left out, and so are those in functions other than trials: ``player.drive`` runs these
    in the program's process.
    """
    guarded = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Try) for inner in ast.walk(node)}
    driven = {id(inner) for node in ast.walk(tree) if _may_be_driven(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in guarded or id(node) in driven:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module.partition(".")[0]


def _may_be_driven(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("test_")


def _can_be_imported(name: str) -> bool:
    if name in sys.stdlib_module_names or name in sys.modules:
        return True
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
