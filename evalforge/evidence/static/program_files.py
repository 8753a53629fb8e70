"""Finding the files of the program: those that its trials execute, whatever their folder and name."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.reachability import reachable
from evalforge.evidence.static.scopes import Scope
from evalforge.sandbox.execution import Execution

_HIDDEN = {
    "text": "turns text into code and runs it, so its work can't be read",
    "data": "runs a file that isn't Python source, so its work can't be read",
    "bytes": "makes code from bytes, so its work can't be read",
    "native": "loads a compiled library of its own, so its work can't be read",
    "process": "starts another program, so its work can't be read",
    "record": "accesses the execution trace, so that can't be trusted",
}


def program_modules(modules: Sequence[Module], execution: Execution | None, tests: frozenset[str]) -> list[Module]:
    """The modules of the program, each with a record of what ran.

    These are the files that the trials executed, even tests, and the files that those import. If nothing ran, or
    without a record, they are all files that aren't tests.
    """
    executed = execution.files if execution is not None else frozenset[str]()
    ran = [module for module in modules if module.path in executed]
    if execution is None or not ran:
        return [module for module in modules if module.path not in tests]
    for module in ran:
        module.lines_run = execution.lines.get(module.path, frozenset())
        module.functions_called = execution.entered.get(module.path, frozenset())
        module.touching_lines = _by_scope(module, execution.touched.get(module.path, frozenset()))
    if not (execution.has_worked or any(module.was_called(scope) for module in ran for scope in module.functions)):
        for module in ran:  # it failed before doing anything, so what it would have run is unknown
            module.lines_run = None
    module_by_path = {module.path: module for module in modules}

    def imported_modules(module: Module) -> Iterator[Module]:
        return (module_by_path[path] for path in _imported_paths(module) if path in module_by_path)

    reached = reachable(ran, imported_modules)
    return [module for module in modules if module in reached]


def hidden_code(execution: Execution | None) -> Iterator[Observation]:
    """Find where the program runs code that nobody can read."""
    for hidden_code in execution.hidden if execution is not None else ():
        yield Observation(hidden_code.path, hidden_code.line, _HIDDEN.get(hidden_code.kind, _HIDDEN["text"]))


def _by_scope(module: Module, lines: Iterable[int]) -> dict[Scope, list[int]]:
    """Group lines of a file by the innermost scope that contains them."""
    owners: dict[int, Scope] = {}
    for scope in module.scopes:
        if not isinstance(scope.node, ast.Module):
            owners.update(dict.fromkeys(range(scope.node.body[0].lineno, (scope.node.end_lineno or 0) + 1), scope))
    by_scope: dict[Scope, list[int]] = defaultdict(list)
    for line in sorted(lines):
        by_scope[owners.get(line, module.root)].append(line)
    return by_scope


def _imported_paths(module: Module) -> Iterator[str]:
    """The possible paths of the modules that a file imports."""
    folder = PurePosixPath(module.path).parent
    for origin in set(module.imports.values()):
        name = origin.lstrip(".")
        level = len(origin) - len(name)
        roots = [folder, PurePosixPath(), PurePosixPath("src")]
        if level:
            roots = [folder, *folder.parents][level - 1 : level]
        parts = name.split(".")
        for root in roots:
            for end in (len(parts), len(parts) - 1):  # ``from a.b import c``: c may be a module or a name in one
                module_folder = root.joinpath(*parts[:end])
                yield f"{module_folder}.py"
                yield f"{module_folder}/__init__.py"
