"""The choice of mutants of the player's own program to run its tests on."""

import contextlib
from collections.abc import Sequence

from pydantic import TypeAdapter

from evalforge.evidence.certification import Certification, MutantTrials, PassedTrial, TrialsEnd
from evalforge.evidence.examination import SuiteStatus
from evalforge.evidence.handover import Handover
from evalforge.evidence.impostors.measure import ImpostorMeasurement
from evalforge.evidence.machine_load import slowdown
from evalforge.evidence.mutation.candidates import find_mutants
from evalforge.evidence.mutation.copies import FunctionCopies, IsProgram
from evalforge.evidence.mutation.live_code import LiveCode
from evalforge.evidence.mutation.mutant import Mutant
from evalforge.evidence.static import is_test_file

TRIALS_END = TypeAdapter(TrialsEnd)
"""The JSON form in which the outcome of the trials is handed over."""
_TRIALS_SECONDS = 60.0  # how long mutants wait for the end of the trials on an idle machine
_Changes = tuple[list[Mutant], list[Mutant]]
"""Mutants, and changes without effect."""
_TOOL_FILES = frozenset({"setup.py", "noxfile.py", "conf.py"})


class MutantChoice:
    """Chooses the mutants for a suite, once its tests have run and the trials have ended.

    Attributes:
        files: The submission's Python files.
        are_needed: Whether any mutants are run.
        have_copies: Whether tests contain copies of functions, which mutants must change too.
        idle_tests: The tests that run none of the code that the trials run.
        own_passing: The tests that pass on the player's own program.
        only_look: Whether tests pass there, but all of those look at code instead of behaviour.
    """

    def __init__(
        self,
        files: dict[str, str],
        impostors: ImpostorMeasurement,
        handover: Handover,
        mutant_trials: MutantTrials | None = None,
    ) -> None:
        self.files = files
        self._mutant_trials = mutant_trials
        self._passed: tuple[PassedTrial, ...] = ()
        self._impostors = impostors
        self._handover = handover
        self.are_needed = impostors.needs_mutants()
        self.have_copies = False
        self.idle_tests = frozenset[str]()
        self.own_passing = frozenset[str]()
        self.only_look = False

    def choose(self, code: Sequence[str], status: SuiteStatus) -> _Changes:
        """The mutants to choose from, and changes without effect; none if impostors say enough."""
        self.own_passing = status.passing_names
        self.only_look = status.looked_count > 0 and not status.baseline.tests
        if not self.are_needed:
            return [], []
        handed_over = self._handover.receive(_TRIALS_SECONDS * slowdown())
        if handed_over is None:  # the code that the trials run isn't known in time, and no other code is worth changing
            return [], []
        if not handed_over:
            program = frozenset(path for path in code if _is_code(path))
            return self._with_copies(_all_mutants(self.files, sorted(program)), lambda path, line: path in program)
        trials_end = TRIALS_END.validate_json(handed_over)
        self._passed = trials_end.passed
        live = LiveCode(self.files, trials_end.execution)
        self.idle_tests = frozenset(test.name for test in status.baseline.tests if not live.is_reached_by(test))
        self.are_needed = self._impostors.needs_mutants(self.idle_tests)
        if not self.are_needed:
            return [], []
        mutants, equivalents = _all_mutants(self.files, code)
        live_mutants = [mutant for mutant in mutants if live.holds(mutant)]
        live_equivalents = [equivalent for equivalent in equivalents if live.holds(equivalent)]
        return self._with_copies((live_mutants, live_equivalents), live.is_alive)

    def have_all_trials_passed(self) -> bool:
        """Whether the player's program passes every trial, once they have ended."""
        handed_over = self._handover.receive(_TRIALS_SECONDS * slowdown())
        return bool(handed_over) and TRIALS_END.validate_json(handed_over).have_all_passed

    def certification(self, sample: Sequence[Mutant]) -> contextlib.AbstractContextManager[Certification | None]:
        """Start trials on mutants, which run while the tests do; None if there are no trials or no mutants."""
        if self._mutant_trials is None or not sample:
            return contextlib.nullcontext()
        return Certification(self._mutant_trials, sample, self._passed)

    def _with_copies(self, changes: _Changes, is_program: IsProgram) -> _Changes:
        """The same changes, which also change copies of the program's functions."""
        copies = FunctionCopies(self.files, is_program)
        mutants, equivalents = ([copies.with_copies(mutant) for mutant in group] for group in changes)
        self.have_copies = any(mutant.copies for mutant in mutants)
        return mutants, equivalents


def _is_code(path: str) -> bool:
    return not is_test_file(path) and path.rpartition("/")[2] not in _TOOL_FILES


def _all_mutants(files: dict[str, str], code: Sequence[str]) -> _Changes:
    """All mutants of some files, and all changes without effect; files that can't be parsed have none."""
    mutants: list[Mutant] = []
    equivalents: list[Mutant] = []
    for path in code:
        try:
            more, other = find_mutants(path, files[path])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        mutants += more
        equivalents += other
    return mutants, equivalents
