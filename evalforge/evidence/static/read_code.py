"""Static reading of a submission: every ``code.*`` fact, and the facts on tests that need no run.

Nothing is run. The same submission gives the same facts, whatever the order of its files.
"""

import ast
import gc
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath

from evalforge.evidence.static import (
    checking_loops,
    documentation,
    duplicates,
    error_handling,
    functions,
    mixing,
)
from evalforge.evidence.static.fact_builders import Observation, count_fact, maximum_fact, share_fact, value_fact
from evalforge.evidence.static.import_work import ImportWork
from evalforge.evidence.static.module import Module, read_module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.reachability import reachable
from evalforge.evidence.static.scopes import Scope
from evalforge.evidence.static.source import MAX_BRACES, MAX_CHARS, UnreadableError, test_files
from evalforge.evidence.static.test_code import PlayerTestCode
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.sandbox.execution import Execution, FoundSuite

# Finding the files of the program: those that its trials execute, whatever their folder and name.

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
        module.streaming_lines = _by_scope(module, execution.streamed.get(module.path, frozenset()))
        module.acting_lines = execution.acting.get(module.path, frozenset())
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


_Measure = Callable[[Program], Iterator[Observation]]
_COUNTS: dict[str, _Measure] = {
    "io_mixed": mixing.mixed_functions,
    "silent_excepts": error_handling.silent_excepts,
    "specific_excepts": error_handling.specific_excepts,
    "exit_calls": error_handling.exit_calls,
    "eval_calls": error_handling.eval_calls,
    "checking_changes": checking_loops.checking_changes,
    "duplicate_blocks": duplicates.duplicate_blocks,
}


def read_code(submission: Submission, execution: Execution | None = None) -> tuple[Fact, ...]:
    """Measure all that the text shows about the program and its tests.

    Args:
        submission: The submitted files; only Python files are read.
        execution: What the trials executed, which defines the program; code that never ran earns nothing.

    Returns:
        Every ``code.*`` fact over the program (without ``execution``: the files that aren't tests), and
        ``tests.count``, ``tests.failure_cases``, ``tests.asserts`` and ``tests.empty`` over the tests; sorted by name.
        A fact is None if there was nothing to measure: no readable file, no function, nothing public,
        or code that hides what it does.
    """
    files = [file for file in submission.files if file.path.lower().endswith(".py")]
    with _without_garbage_collection():
        modules, unreadable = _read_modules(files)
        suite = execution.suite if execution else None
        test_paths = frozenset(test_files((file.path for file in files), suite))
        tests = [module for module in modules if module.path in test_paths]
        code = program_modules(modules, execution, test_paths)
        hidden = list(hidden_code(execution))
        unmeasured = [value_fact(fact.name, None, hidden) for fact in _code_facts(Program([]))]
        facts = [
            count_fact("code.syntax_errors", [spot for spot in unreadable if spot.path not in test_paths]),
            count_fact("code.hidden", hidden),
            *(_code_facts(Program(code)) if code and not hidden else unmeasured),
            *_test_facts(tests, [spot for spot in unreadable if spot.path in test_paths], suite),
        ]
    return tuple(sorted(facts, key=lambda fact: fact.name))


@contextmanager
def _without_garbage_collection() -> Generator[None]:
    """Disable the garbage collector, because walking the growing trees over and over takes two thirds of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _read_modules(files: list[SubmissionFile]) -> tuple[list[Module], list[Observation]]:
    """Read every readable file in order of path, with reasons for the others; too large submissions are partly read."""
    modules: list[Module] = []
    unreadable: list[Observation] = []
    characters = braces = 0
    for file in sorted(files, key=lambda file: (len(file.content), file.path, file.content)):
        characters += len(file.content)
        braces += file.content.count("{")
        if characters > MAX_CHARS or braces > MAX_BRACES:
            unreadable.append(Observation(file.path, 0, "too large to read"))
            continue
        try:
            modules.append(read_module(file))
        except UnreadableError as error:
            unreadable.append(Observation(file.path, error.line or 0, error.message))
    return sorted(modules, key=lambda module: (module.path, module.text)), unreadable


def _code_facts(program: Program) -> list[Fact]:
    guards = list(_main_guards(program))
    import_work = ImportWork(program)
    lengths = list(functions.lengths(program, import_work))
    longest, place = max(lengths, key=lambda length: length[0], default=(0, None))
    return [
        *(count_fact(f"code.{name}", measure(program)) for name, measure in _COUNTS.items()),
        value_fact("code.main_guard", bool(guards), guards),
        count_fact("code.module_level_statements", import_work.statements()),
        value_fact("code.functions", sum(module.was_called(scope) for module, scope in program.functions)),
        maximum_fact("code.longest_function", lengths),
        value_fact("code.longest_share", longest / (sum(lines for lines, _ in lengths) or 1), [place] if place else []),
        maximum_fact("code.max_complexity", functions.complexities(program, import_work)),
        share_fact("code.docstring_share", documentation.public_docstrings(program)),
    ]


def _main_guards(program: Program) -> Iterator[Observation]:
    """Every main guard; a ``__main__.py`` counts as one."""
    for module in program.modules:
        if module.is_main_file:
            yield Observation(module.path, 0, "is what python -m runs")
        for node in module.main_guards:
            yield Observation(module.path, node.lineno, "guards the start of the program")


def _test_facts(tests: list[Module], unreadable: list[Observation], suite: FoundSuite | None) -> list[Fact]:
    reading = PlayerTestCode(tests, suite)
    broken = [Observation(spot.path, spot.line, f"can't be read: {spot.message}") for spot in unreadable]
    left_out = [
        Observation("", 0, f"option {option} of the settings was left out: it needs a plugin that the judge lacks")
        for option in (suite.unknown_options if suite else ())
    ]
    return [
        count_fact("tests.count", reading.test_places(), notes=[*left_out, *broken]),
        count_fact("tests.failure_cases", reading.failure_cases()),
        count_fact("tests.asserts", reading.assertions()),
        count_fact("tests.empty", reading.tests_without_assertion()),
    ]
