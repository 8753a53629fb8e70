"""Static reading of a submission: every ``code.*`` fact, and the facts on tests that need no run.

Nothing is run. The same submission gives the same facts, whatever the order of its files.
"""

import gc
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from evalforge.evidence.static import (
    duplicates,
    error_handling,
    functions,
    interleaving,
    literals,
    mixing,
    operator_output,
    program_starts,
    shared_state,
)
from evalforge.evidence.static.fact_builders import (
    Observation,
    count_fact,
    maximum_fact,
    share_fact,
    total_share_fact,
    value_fact,
)
from evalforge.evidence.static.import_work import ImportWork
from evalforge.evidence.static.line_count import count_lines
from evalforge.evidence.static.module import Module, read_module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.program_files import hidden_code, modules_with_code, program_modules
from evalforge.evidence.static.source import (
    MAX_BRACES,
    MAX_CHARS,
    UnreadableError,
    split_lines,
    test_files,
)
from evalforge.evidence.static.test_code import PlayerTestCode
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.sandbox.execution import Execution, FoundSuite

_Measure = Callable[[Program], Iterator[Observation]]
_COUNTS: dict[str, _Measure] = {
    "io_mixed": mixing.mixed_functions,
    "bare_excepts": error_handling.bare_excepts,
    "broad_excepts": error_handling.broad_excepts,
    "silent_excepts": error_handling.silent_excepts,
    "specific_excepts": error_handling.specific_excepts,
    "exit_calls": error_handling.exit_calls,
    "eval_calls": error_handling.eval_calls,
    "logging_calls": operator_output.logging_calls,
    "prints": operator_output.prints,
    "stderr_writes": operator_output.stderr_writes,
    "global_writes": shared_state.global_writes,
    "checking_changes": interleaving.checking_changes,
    "handed_changes": interleaving.handed_changes,
    "magic_numbers": literals.magic_numbers,
    "duplicate_blocks": duplicates.duplicate_blocks,
    "dataclasses": functions.value_classes,
}
_PRESENCES: dict[str, _Measure] = {
    "main_guard": program_starts.main_guards,
    "main_function": program_starts.main_functions,
    "argparse": program_starts.argument_parsers,
}


def read_code(submission: Submission, execution: Execution | None = None) -> tuple[Fact, ...]:
    """Measure all that the text shows about the program and its tests.

    Args:
        submission: The submitted files; only Python files are read.
        execution: What the trials executed, which defines the program; code that never ran earns nothing.

    Returns:
        Every ``code.*`` fact over the program (without ``execution``: the files that aren't tests), and
        ``tests.files``, ``tests.count``, ``tests.failure_cases``, ``tests.asserts`` and ``tests.empty`` over the tests;
        sorted by name. A fact is None if there was nothing to measure: no readable file, no function, nothing public,
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
        facts = [
            *_size_facts([file for file in files if file.path not in test_paths], code, unreadable, test_paths),
            count_fact("code.hidden", hidden),
            *(_code_facts(Program(code)) if code and not hidden else _unmeasured_facts(hidden)),
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


def _size_facts(
    files: list[SubmissionFile], code: list[Module], unreadable: list[Observation], test_paths: frozenset[str]
) -> list[Fact]:
    module_by_path = {module.path: module for module in code}
    sizes: list[tuple[int, Observation]] = []
    for file in files:
        module = module_by_path.get(file.path)
        lines = module.code_lines() if module else count_lines(split_lines(file.content))[-1]
        sizes.append((lines, Observation(file.path, 0, f"has {lines} lines of code")))
    return [
        value_fact("code.files", len(files)),
        value_fact("code.lines", sum(lines for lines, _ in sizes)),
        maximum_fact("code.longest_file", sizes) if sizes else value_fact("code.longest_file", 0),
        count_fact("code.syntax_errors", [spot for spot in unreadable if spot.path not in test_paths]),
        value_fact("code.modules", len(modules_with_code(code))),
    ]


def _code_facts(program: Program) -> list[Fact]:
    facts = [count_fact(f"code.{name}", measure(program)) for name, measure in _COUNTS.items()]
    for name, measure in _PRESENCES.items():
        places = list(measure(program))
        facts.append(value_fact(f"code.{name}", bool(places), places))
    return [*facts, *_function_facts(program)]


def _function_facts(program: Program) -> list[Fact]:
    import_work = ImportWork(program)
    lengths = list(functions.lengths(program, import_work))
    longest, place = max(lengths, key=lambda length: length[0], default=(0, None))
    return [
        count_fact("code.module_level_statements", import_work.statements()),
        value_fact("code.functions", sum(module.was_called(scope) for module, scope in program.functions)),
        value_fact("code.classes", len(program.classes)),
        maximum_fact("code.longest_function", lengths),
        share_fact("code.longest_share", longest, sum(lines for lines, _ in lengths) or 1, [place] if place else []),
        maximum_fact("code.max_complexity", functions.complexities(program, import_work)),
        maximum_fact("code.max_params", functions.parameter_counts(program)),
        maximum_fact("code.max_nesting", functions.nestings(program)),
        total_share_fact("code.docstring_share", functions.documentation(program)),
        total_share_fact("code.typed_share", functions.annotations(program)),
    ]


def _unmeasured_facts(hidden: list[Observation]) -> list[Fact]:
    return [value_fact(fact.name, None, hidden) for fact in _code_facts(Program([]))]


def _test_facts(tests: list[Module], unreadable: list[Observation], suite: FoundSuite | None) -> list[Fact]:
    reading = PlayerTestCode(tests, suite)
    files = list(reading.files())
    broken = [Observation(spot.path, spot.line, f"can't be read: {spot.message}") for spot in unreadable]
    left_out = [
        Observation("", 0, f"option {option} of the settings was left out: it needs a plugin that the judge lacks")
        for option in (suite.unknown_options if suite else ())
    ]
    return [
        value_fact("tests.files", len(files), [*files, *broken, *left_out]),
        count_fact("tests.count", reading.test_places()),
        count_fact("tests.failure_cases", reading.failure_cases()),
        count_fact("tests.asserts", reading.assertions()),
        count_fact("tests.empty", reading.tests_without_assertion()),
    ]
