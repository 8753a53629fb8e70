"""The layout of another program in a submission: its files replace the player's, among the player's tests.

A right program may be a file (``ledger.py``) while the player's is a package (``src/ledger/``), or vice versa. It is
put into the folder of the player's entry, with a small start file if tests may start the program by a path that it
lacks.
"""

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalforge.evidence.static.reachability import reachable
from evalforge.evidence.static.source import UnreadableError, parse
from evalforge.model.submission import Submission
from evalforge.submissions.entry import find_entry

_RUN_MODULE = "runpy.run_module({stem!r}, run_name='__main__', alter_sys=True)\n"
# A copy of a start file keeps the name of the original in its code, and starts the program beside that.
_PATH = "os.path.abspath((lambda: 0).__code__.co_filename)"
# Python may take the copy of a folder with nothing else for a package.
_START_FOLDER = (
    f"import os, runpy, sys\nsys.path[0] = os.path.dirname(os.path.dirname({_PATH}))\n"
    "getattr(sys.modules.get({stem!r}), '__file__', None) or sys.modules.pop({stem!r}, None)\n" + _RUN_MODULE
)
# A caller of ``runpy.run_path`` may not have the file's folder on the import path, and may want its names.
_START_MODULE = (
    f"import importlib, os, runpy, sys\n_folder = os.path.dirname({_PATH})\n"
    "sys.path.insert(0, _folder)\ntry:\n    if __name__ == '__main__':\n        " + _RUN_MODULE + "    else:\n"
    "        __name__ != {stem!r} or sys.modules.pop({stem!r}, None)\n"  # a copy that is imported by this name
    "        _names = vars(importlib.import_module({stem!r}))\n"
    "        globals().update((name, _names[name]) for name in _names if not name.startswith('__'))\n"
    "finally:\n    sys.path.remove(_folder)\n"
)


@dataclass(frozen=True)
class EntryPlace:
    """The place of a program's entry: its folder (empty for the root), its name without ``.py``, and its form."""

    folder: str
    stem: str
    is_package: bool


def find_place(submission: Submission, entry_files: tuple[str, ...]) -> EntryPlace:
    """Find the player's entry; the root of the submission if there is none yet."""
    stem = entry_files[0].removesuffix(".py")
    program = find_entry(submission, entry_files)
    if program is None:
        return EntryPlace("", stem, is_package=False)
    if program.kind == "script":
        path = PurePosixPath(program.name)
        return EntryPlace(_folder(path), path.stem, is_package=path.suffix != ".py")
    in_src = any(file.path.startswith(f"src/{program.name}/") for file in submission.files)
    return EntryPlace("src" if in_src else "", program.name, is_package=True)


def _folder(path: PurePosixPath) -> str:
    return "" if path.parent.as_posix() == "." else path.parent.as_posix()


def lay_out(program: Mapping[str, str], place: EntryPlace) -> dict[str, str]:
    """Move the files of a right program to the place of the player's entry."""
    files = dict(program)
    stem = place.stem
    is_started = "__main__" in program.get(f"{stem}.py", "")
    if is_started and place.is_package:
        files[f"{stem}/__main__.py"] = _START_FOLDER.format(stem=stem)
    elif f"{stem}/__main__.py" in program and f"{stem}.py" not in program:
        files[f"{stem}.py"] = _START_MODULE.format(stem=stem)
    prefix = f"{place.folder}/" if place.folder else ""
    return {prefix + path: source for path, source in files.items()}


def program_paths(submission: Submission, place: EntryPlace, tests: Collection[str]) -> frozenset[str]:
    """The Python files of the player's program, without those of the tests and files that only tests import."""
    code = {file.path: file.content for file in submission.files if file.path.endswith(".py")}
    names = {path: _module_names(path, place.folder) for path in code}
    imports = {path: imported_modules(content) for path, content in code.items()}

    def imported_files(path: str) -> list[str]:
        return [other for other in code if not names[other].isdisjoint(imports[path])]

    entries = {path for path in code if path not in tests and _is_entry(path, place)}
    only_tests = reachable(tests, imported_files) - reachable(entries, imported_files)
    return frozenset(path for path in code if path not in tests and path not in only_tests)


def _is_entry(path: str, place: EntryPlace) -> bool:
    path_in_folder = path.removeprefix(f"{place.folder}/") if place.folder else path
    return path_in_folder == f"{place.stem}.py" or path_in_folder.startswith(f"{place.stem}/")


def _module_names(path: str, folder: str) -> set[str]:
    """The names by which a file may be imported: from the root, ``src``, the entry's folder or its own folder."""
    parts = PurePosixPath(path).with_suffix("").parts
    if parts[-1] in ("__init__", "__main__"):
        parts = parts[:-1]
    dotted = ".".join(parts)
    roots = ("", "src.", f"{folder.replace('/', '.')}." if folder else "")
    return {dotted.removeprefix(root) for root in roots} | set(parts[-1:])


def module_names(paths: Iterable[str], place: EntryPlace) -> set[str]:
    """The dotted names of modules and packages by which files can be imported."""
    names: set[str] = set()
    for path in paths:
        for name in _module_names(path, place.folder):
            pieces = name.split(".")
            names.update(".".join(pieces[:count]) for count in range(1, len(pieces) + 1))
    return names - {""}


def imported_modules(source: str) -> set[str]:
    """The dotted names that a file imports, with every possible meaning: ``from a import b`` is ``a`` and ``a.b``."""
    try:
        tree = parse(source)
    except UnreadableError:
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names.add(module)
            names.update(f"{module}.{alias.name}".lstrip(".") for alias in node.names)
    return {".".join(name.split(".")[:count]) for name in names for count in range(1, name.count(".") + 2)}
