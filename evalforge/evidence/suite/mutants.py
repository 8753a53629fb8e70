"""The choice of mutants of the player's own program to run its tests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from evalforge.evidence.static import is_test_file
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.certification import PassedTrial, TrialsEnd
from evalforge.evidence.suite.copies import FunctionCopies, IsProgram
from evalforge.evidence.suite.jobs import Baseline, sample_mutants
from evalforge.evidence.suite.live_code import LiveCode
from evalforge.evidence.suite.mutant import Mutant
from evalforge.evidence.suite.run import Suite

TRIALS_END = TypeAdapter(TrialsEnd)
"""The JSON form in which the outcome of the trials is handed over."""
_TOOL_FILES = frozenset({"setup.py", "noxfile.py", "conf.py"})


@dataclass(frozen=True)
class MutantChoice:
    """The mutants to run a suite on.

    Attributes:
        sample: The mutants.
        equivalents: Changes without effect, to choose controls from.
        have_copies: Whether tests contain copies of functions, which mutants must change too.
        idle_tests: The tests that run none of the code that the trials run.
        passed_trials: The trials that the unchanged program passes.
    """

    sample: tuple[Mutant, ...] = ()
    equivalents: tuple[Mutant, ...] = ()
    have_copies: bool = False
    idle_tests: frozenset[str] = frozenset()
    passed_trials: tuple[PassedTrial, ...] = ()


def choose_mutants(suite: Suite, baseline: Baseline, trials_end: TrialsEnd | None) -> MutantChoice:
    """Choose mutants of the code that the trials run; of all code but the tests if there were no trials.

    Args:
        suite: The suite.
        baseline: Its results on the unchanged program.
        trials_end: The outcome of the trials; None if there were none.
    """
    if trials_end is None:
        program = frozenset(path for path in suite.code if _is_code(path))
        return _choice(suite, sorted(program), lambda path, line: path in program)
    live = LiveCode(suite.files, trials_end.execution)
    idle_tests = frozenset(test.name for test in baseline.tests if not live.is_reached_by(test))
    return _choice(suite, suite.code, live.is_alive, idle_tests, trials_end.passed)


def _is_code(path: str) -> bool:
    return not is_test_file(path) and path.rpartition("/")[2] not in _TOOL_FILES


def _choice(
    suite: Suite,
    code: Sequence[str],
    is_program: IsProgram,
    idle_tests: frozenset[str] = frozenset(),
    passed_trials: tuple[PassedTrial, ...] = (),
) -> MutantChoice:
    """A sample of the program's mutants, which also change copies of its functions."""
    mutants: list[Mutant] = []
    equivalents: list[Mutant] = []
    for path in code:
        try:
            all_mutants, all_equivalents = find_mutants(path, suite.files[path])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        mutants += [mutant for mutant in all_mutants if is_program(path, mutant.line)]
        equivalents += [mutant for mutant in all_equivalents if is_program(path, mutant.line)]
    copies = FunctionCopies(suite.files, is_program)
    mutants, equivalents = ([copies.with_copies(mutant) for mutant in group] for group in (mutants, equivalents))
    return MutantChoice(
        sample=tuple(sample_mutants(mutants)),
        equivalents=tuple(equivalents),
        have_copies=any(mutant.copies for mutant in mutants),
        idle_tests=idle_tests,
        passed_trials=passed_trials,
    )
