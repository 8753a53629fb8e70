"""Static reading of a submission: every ``code.*`` fact, and what the player's tests say about themselves.

Nothing is run. The same submission gives the same facts, in whatever order its files come.
"""

import gc
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from evalforge.evidence.reading import (
    duplicates,
    errors,
    functions,
    layout,
    literals,
    mixing,
    notices,
    purity,
)
from evalforge.evidence.reading.facts import Spot, counted, greatest, share, valued
from evalforge.evidence.reading.module import Module, count_code_lines, read_module
from evalforge.evidence.reading.playertests import PlayerTests
from evalforge.evidence.reading.source import (
    MAX_BRACES,
    MAX_CHARACTERS,
    UnreadableError,
    is_test_file,
    split_lines,
)
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission, SubmissionFile

_COUNTED: dict[str, Callable[[list[Module]], Iterator[Spot]]] = {
    "io_mixed": mixing.mixed_functions,
    "module_level_statements": layout.module_level_statements,
    "bare_excepts": errors.bare_excepts,
    "broad_excepts": errors.broad_excepts,
    "silent_excepts": errors.silent_excepts,
    "specific_excepts": errors.specific_excepts,
    "exit_calls": errors.exit_calls,
    "eval_calls": errors.eval_calls,
    "logging_calls": notices.logging_calls,
    "prints": notices.prints,
    "stderr_writes": notices.stderr_writes,
    "global_writes": purity.global_writes,
    "magic_numbers": literals.magic_numbers,
    "duplicate_blocks": duplicates.duplicate_blocks,
    "dataclasses": functions.value_classes,
}
_SEEN: dict[str, Callable[[list[Module]], Iterator[Spot]]] = {
    "main_guard": layout.main_guards,
    "main_function": layout.main_functions,
    "argparse": layout.argument_parsers,
}
_FUNCTION_NAMES = (
    *("functions", "classes", "longest_function", "max_complexity", "max_params", "max_nesting"),
    *("docstring_share", "typed_share", "pure_functions", "pure_share"),
)


def read_code(submission: Submission) -> tuple[Fact, ...]:
    """Measure everything that can be told from the text alone.

    Args:
        submission: The files as handed in. Those that aren't Python are passed over.

    Returns:
        Every ``code.*`` fact over the files that aren't tests, and ``tests.files``, ``tests.count``,
        ``tests.failure_cases``, ``tests.asserts`` and ``tests.empty`` over those that are; sorted by name.
        A fact is None if there was nothing to measure it on: no readable file, no function, nothing public.
    """
    files = [file for file in submission.files if file.path.lower().endswith(".py")]
    with _unhurried():
        modules, unreadable = _read(files)
        code = [module for module in modules if not is_test_file(module.path)]
        tests = [module for module in modules if is_test_file(module.path)]
        facts = [
            *_size_facts([file for file in files if not is_test_file(file.path)], code, unreadable),
            *(_code_facts(code) if code else _nothing_readable()),
            *_test_facts(tests, unreadable),
        ]
    return tuple(sorted(facts, key=lambda fact: fact.name))


@contextmanager
def _unhurried() -> Generator[None]:
    """Keep the garbage collector from walking a growing tree over and over, two thirds of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _read(files: list[SubmissionFile]) -> tuple[list[Module], list[Spot]]:
    """Every readable file in order of path, and why the others aren't. Too much: large files stay out."""
    modules: list[Module] = []
    unreadable: list[Spot] = []
    characters = braces = 0
    for file in sorted(files, key=lambda file: (len(file.content), file.path, file.content)):
        characters += len(file.content)
        braces += file.content.count("{")
        if characters > MAX_CHARACTERS or braces > MAX_BRACES:
            unreadable.append(Spot(file.path, 0, "too large to read"))
            continue
        try:
            modules.append(read_module(file))
        except UnreadableError as error:
            unreadable.append(Spot(file.path, error.line or 0, error.message))
    return sorted(modules, key=lambda module: (module.path, module.text)), unreadable


def _size_facts(files: list[SubmissionFile], code: list[Module], unreadable: list[Spot]) -> list[Fact]:
    known = {module.path: module for module in code}
    sizes: list[tuple[int, Spot]] = []
    for file in files:
        module = known.get(file.path)
        lines = module.code_lines() if module else count_code_lines(split_lines(file.content))[-1]
        sizes.append((lines, Spot(file.path, 0, f"has {lines} lines of code")))
    return [
        valued("code.files", len(files)),
        valued("code.lines", sum(lines for lines, _ in sizes)),
        greatest("code.longest_file", sizes) if sizes else valued("code.longest_file", 0),
        counted("code.syntax_errors", [spot for spot in unreadable if not is_test_file(spot.path)]),
        valued("code.modules", len(layout.own_code(code))),
    ]


def _code_facts(code: list[Module]) -> list[Fact]:
    facts = [counted(f"code.{name}", measure(code)) for name, measure in _COUNTED.items()]
    for name, measure in _SEEN.items():
        seen = list(measure(code))
        facts.append(valued(f"code.{name}", bool(seen), seen))
    return [*facts, *_function_facts(code), *_purity_facts(code)]


def _function_facts(code: list[Module]) -> list[Fact]:
    complexities = list(functions.complexities(code))
    known = [measured for measured in complexities if measured is not None]
    documented = list(functions.documentation(code))
    annotated = list(functions.annotations(code))
    return [
        valued("code.functions", sum(len(module.functions) for module in code)),
        valued("code.classes", sum(len(module.classes) for module in code)),
        greatest("code.longest_function", functions.lengths(code)),
        greatest("code.max_complexity", known if len(known) == len(complexities) else ()),
        greatest("code.max_params", functions.parameter_counts(code)),
        greatest("code.max_nesting", functions.nestings(code)),
        share(
            "code.docstring_share",
            sum(has for has, _ in documented),
            len(documented),
            [spot for has, spot in documented if not has],
        ),
        share(
            "code.typed_share",
            sum(typed for typed, _, _ in annotated),
            sum(places for _, places, _ in annotated),
            [spot for typed, places, spot in annotated if typed < places],
        ),
    ]


def _purity_facts(code: list[Module]) -> list[Fact]:
    pure, impure = purity.pure_functions(code)
    return [
        counted("code.pure_functions", pure),
        share("code.pure_share", len(pure), len(pure) + len(impure), impure),
    ]


def _nothing_readable() -> list[Fact]:
    names = [*_COUNTED, *_SEEN, *_FUNCTION_NAMES]
    return [valued(f"code.{name}", None) for name in names]


def _test_facts(tests: list[Module], unreadable: list[Spot]) -> list[Fact]:
    reading = PlayerTests(tests)
    files = list(reading.files())
    broken = [
        Spot(spot.path, spot.line, f"can't be read: {spot.message}") for spot in unreadable if is_test_file(spot.path)
    ]
    return [
        valued("tests.files", len(files), [*files, *broken]),
        counted("tests.count", reading.spots()),
        counted("tests.failure_cases", reading.failure_cases()),
        counted("tests.asserts", reading.assertions()),
        counted("tests.empty", reading.empty()),
    ]
