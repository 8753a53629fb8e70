"""Measurement of the player's tests on a boss's right programs and impostors: facts, and a result per impostor."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalforge.evidence.control_files import runnable_python_files
from evalforge.evidence.impostors.facts import (
    count_by_status,
    count_set_aside,
    impostor_facts,
    unmeasured_impostor_facts,
)
from evalforge.evidence.impostors.impostor_examination import ImpostorExamination, ImpostorRun, ImpostorSource
from evalforge.evidence.impostors.suite_runs import SuiteTestStatus, read_excuses, set_open_tests_aside
from evalforge.evidence.static import test_files
from evalforge.evidence.suite_search import has_tests
from evalforge.model.errors import EvalForgeError
from evalforge.model.evidence import Fact, ImpostorFate, ImpostorResult
from evalforge.model.submission import Submission
from evalforge.packs.impostors import read_impostors
from evalforge.sandbox.execution import FoundSuite
from evalforge.sandbox.player_test_host import PlayerTestHost

PROGRAMS_NEED = (3, 11)
_OLD_PYTHON = "The boss's own programs need Python 3.11 or newer."
_NO_IMPOSTORS = "This boss has no impostors."
_INNER_FACTOR = 3
_NO_TESTS = "There are no tests."
_ABOUT_THE_PROGRAM = (
    SuiteTestStatus.CONTRACT,
    SuiteTestStatus.WRONG,
    SuiteTestStatus.OPEN,
    SuiteTestStatus.OWN_ONLY,
    SuiteTestStatus.INNER,
)
_NOT_RUN = "The tests could not be run on other programs."


@dataclass(frozen=True)
class ImpostorMeasurement:
    """The results of the tests on the boss's programs.

    Attributes:
        run: The results on all programs; None if the tests were run on none.
        reason: Why they were run on none.
    """

    run: ImpostorRun | None = None
    reason: str = ""

    @property
    def results(self) -> tuple[ImpostorResult, ...]:
        """The result for each impostor."""
        return self.run.results if self.run is not None else ()

    @property
    def has_unmasked(self) -> bool:
        """Whether the tests caught any impostor."""
        return any(result.fate is ImpostorFate.UNMASKED for result in self.results)

    @property
    def has_wrong_tests(self) -> bool:
        """Whether some test contradicts the contract, because it fails on every right program."""
        return self.run is not None and SuiteTestStatus.WRONG in self.run.statuses.values()

    def beside_own(self, own_passing: frozenset[str], *, is_right: bool = False) -> "ImpostorMeasurement":
        """Update the statuses, once it is known which tests pass on the player's own program.

        A test that fails there and on right programs checks no result, because it fails whatever the result is.
        """
        run = self.run
        if run is None:
            return self
        statuses = read_excuses(run.statuses, own_passing, run.uses)
        statuses = set_open_tests_aside(
            statuses, run.uses, run.expected_impostors.keys(), own_passing, is_own_right=is_right
        )
        is_vacuous = run.is_vacuous
        if own_passing and run.alert_tests is not None:
            sound_tests = own_passing | {
                test for test, status in statuses.items() if status is SuiteTestStatus.CONTRACT
            }
            is_vacuous = run.alert_tests.isdisjoint(sound_tests)
        return replace(self, run=replace(run, statuses=statuses, is_vacuous=is_vacuous))

    @property
    def is_content_with_nothing(self) -> bool:
        """Whether no check of any test fails on a hollow program."""
        return self.run is not None and self.run.is_vacuous

    def is_idle(self, idle_tests: frozenset[str]) -> bool:
        """Whether no test runs any of the code that the trials run."""
        if self.run is None or not idle_tests:
            return False
        counts = count_by_status(self.run, idle_tests)
        return not any(counts[status] for status in _ABOUT_THE_PROGRAM)

    def facts(self, idle_tests: frozenset[str] = frozenset()) -> tuple[Fact, ...]:
        """Facts about the tests; inner tests that run none of the code that the trials run are left out."""
        return unmeasured_impostor_facts(self.reason) if self.run is None else impostor_facts(self.run, idle_tests)

    def needs_mutants(self, idle_tests: frozenset[str] = frozenset()) -> bool:
        """Whether many tests could not run on impostors, so that mutants of the player's program must measure them."""
        if self.run is None:
            return True
        counts = count_by_status(self.run, idle_tests)
        is_measured = any(fact.name == "tests.unmasked" and fact.value is not None for fact in self.facts(idle_tests))
        return not is_measured or count_set_aside(counts) * _INNER_FACTOR > counts[SuiteTestStatus.CONTRACT]


def meet_impostors(
    hosts: Sequence[PlayerTestHost],
    submission: Submission,
    source: ImpostorSource | None,
    suite: FoundSuite | None = None,
    *,
    meets_all: bool = False,
) -> ImpostorMeasurement:
    """Run a submission's tests on every right program of a boss, and on its impostors: all, or those of a fight."""
    if source is None:
        return ImpostorMeasurement(reason=_NO_IMPOSTORS)
    if hosts[0].version < PROGRAMS_NEED:
        return ImpostorMeasurement(reason=_OLD_PYTHON)
    files = runnable_python_files(submission)
    try:
        if not has_tests(files, suite):
            return ImpostorMeasurement(reason=_NO_TESTS)
        impostors = read_impostors(source.pack)
        if impostors is None:
            return ImpostorMeasurement(reason=_NO_IMPOSTORS)
        met_impostors = impostors if meets_all else impostors.in_a_fight()
        tests = test_files(files, suite)
        run = ImpostorExamination(hosts, submission, tests, source, met_impostors, impostors).run()
    except EvalForgeError as error:
        return ImpostorMeasurement(reason=f"{_NOT_RUN[:-1]}: {error}")
    if run is None:
        return ImpostorMeasurement(reason=_NOT_RUN)
    absent = len(impostors.impostors) - len(met_impostors.impostors)
    run = replace(run, absent_impostors=absent)
    return ImpostorMeasurement(reason=run.missing_library) if run.missing_library else ImpostorMeasurement(run)
