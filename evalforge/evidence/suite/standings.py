"""The results of the player's tests on one right program, test by test."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from evalforge.evidence.suite.conversation import LoadedSuite, PlayerTestRun, SuiteReport
from evalforge.evidence.suite.inner_tests import TestUses
from evalforge.evidence.suite.jobs import Baseline, PassingTest


class SuiteTestStatus(Enum):
    """The status of a test towards programs that keep the contract."""

    CONTRACT = "passes: it expects what the contract says"
    INNER = "needs more of the player's program than the contract names"
    WRONG = "fails, so it expects what the contract denies"
    OPEN = "fails on some right program: it expects what the contract leaves open"
    WAVERING = "passes in one order and fails in another"
    EXCUSED = "skips itself, is marked as one that fails and does, or needs what the sandbox refuses"
    OWN_ONLY = "passes on the player's own program, and is excused from every right one"
    NEUTRAL = "may fail or pass, or looks at code instead of behaviour"


@dataclass(frozen=True)
class SuiteOnProgram:
    """The results of all tests on one right program.

    Attributes:
        statuses: The status of each test, by name.
        baseline: The tests that expect what the contract says, and the lines that they run.
        failing: The same for tests that contradict the contract, one per function.
        failed_runs: The failures of those tests, by function.
        failures: The error messages of failed tests, and of files that could not be loaded.
    """

    statuses: dict[str, SuiteTestStatus]
    baseline: Baseline
    failing: Baseline
    failed_runs: dict[str, PlayerTestRun] = field(default_factory=dict[str, PlayerTestRun])
    failures: tuple[str, ...] = ()


def suite_on_program(report: SuiteReport, uses: TestUses, common_names: frozenset[str]) -> SuiteOnProgram:
    """Read a host's report of two runs on a right program.

    Args:
        report: The host's message.
        uses: What the tests use, read from their source.
        common_names: Names that every right program has; tests that use others may pass on one by accident.
    """
    loaded = report.loaded or LoadedSuite(seconds=0.0)
    first, second = [*report.results_by_run, {}, {}][:2]
    statuses: dict[str, SuiteTestStatus] = {}
    passing: list[PassingTest] = []
    failing: dict[str, PassingTest] = {}
    failed_runs: dict[str, PlayerTestRun] = {}
    for name, ran in first.items():
        test_status = statuses[name] = _status_of(ran, second.get(name, ran), uses)
        measured = PassingTest(name, ran.seconds, {path: frozenset(lines) for path, lines in ran.reach.items()})
        if test_status is SuiteTestStatus.CONTRACT and not uses.takes_names_beside(name, common_names):
            passing.append(measured)
        elif test_status is SuiteTestStatus.WRONG:
            failing.setdefault(name.partition("[")[0], measured)
            failed_runs.setdefault(name.partition("[")[0], ran)
    for broken in loaded.broken:  # files that can't be loaded with another program
        statuses.update(dict.fromkeys(uses.tests_in(broken.file), SuiteTestStatus.INNER))
    imported = {path: frozenset(lines) for path, lines in loaded.imported.items()}
    return SuiteOnProgram(
        statuses=statuses,
        baseline=Baseline(tuple(passing), imported, loaded.seconds),
        failing=Baseline(tuple(failing.values()), imported, loaded.seconds),
        failed_runs=failed_runs,
        failures=tuple(failure.message for failure in (*loaded.broken, *first.values()) if failure.message),
    )


def _status_of(ran: PlayerTestRun, second_run: PlayerTestRun, uses: TestUses) -> SuiteTestStatus:
    if ran.inner or second_run.inner:
        return SuiteTestStatus.INNER
    if ran.looked or second_run.looked:
        return SuiteTestStatus.NEUTRAL
    if {"failed", "refused"}.isdisjoint({ran.outcome, second_run.outcome}):
        return _status_without_failure(ran, second_run)
    if ran.xfail or "refused" in (ran.outcome, second_run.outcome):
        return SuiteTestStatus.EXCUSED
    if uses.misses_own_attribute(ran.message):
        return SuiteTestStatus.INNER
    if ran.outcome != second_run.outcome or ran.late or second_run.late:
        return SuiteTestStatus.WAVERING
    return SuiteTestStatus.INNER if uses.uses_inner_names(ran.name) else SuiteTestStatus.WRONG


def _status_without_failure(ran: PlayerTestRun, second_run: PlayerTestRun) -> SuiteTestStatus:
    if {ran.outcome, second_run.outcome}.isdisjoint({"passed"}):
        return SuiteTestStatus.EXCUSED
    is_binding = ran.outcome == second_run.outcome and not ran.may_fail
    return SuiteTestStatus.CONTRACT if is_binding else SuiteTestStatus.NEUTRAL


def read_excuses(
    statuses: Mapping[str, SuiteTestStatus], own_passing: frozenset[str], uses: TestUses
) -> dict[str, SuiteTestStatus]:
    """Update the statuses of excused tests, given which tests pass on the player's own program.

    A test that passes there but is excused on every right program expects what only the player's program does.
    """
    updated = dict(statuses)
    for name, test_status in statuses.items():
        if test_status is SuiteTestStatus.EXCUSED and name in own_passing:
            updated[name] = SuiteTestStatus.INNER if uses.uses_inner_names(name) else SuiteTestStatus.OWN_ONLY
    return updated


def set_open_tests_aside(
    statuses: Mapping[str, SuiteTestStatus],
    uses: TestUses,
    denied: Collection[str],
    own_passing: frozenset[str],
    *,
    is_own_right: bool,
) -> dict[str, SuiteTestStatus]:
    """Update the statuses of tests that fail on every right program, but may expect what the contract leaves open.

    Such a test passes on the player's own program, and either that passes every trial, or the test needs a name that
    isn't in the contract. If an impostor does what the test expects, the contract denies it, so the test is wrong.
    """
    updated = dict(statuses)
    for name, status in statuses.items():
        may_be_open = status is SuiteTestStatus.WRONG and name in own_passing and name.partition("[")[0] not in denied
        if may_be_open and (is_own_right or uses.uses_usual_names(name)):
            updated[name] = SuiteTestStatus.OPEN
    return updated


def join_statuses(programs: Iterable[SuiteOnProgram]) -> dict[str, SuiteTestStatus]:
    """Combine the statuses of each test on all right programs.

    If it passes on one right program and fails on another, the contract leaves open what it expects.
    """
    by_test: dict[str, list[SuiteTestStatus]] = {}
    for program in programs:
        for name, test_status in program.statuses.items():
            by_test.setdefault(name, []).append(test_status)
    return {name: _joined(statuses) for name, statuses in by_test.items()}


def _joined(statuses: list[SuiteTestStatus]) -> SuiteTestStatus:
    for test_status in (SuiteTestStatus.INNER, SuiteTestStatus.WAVERING):
        if test_status in statuses:
            return test_status
    if len(set(statuses)) == 1:
        return statuses[0]
    if set(statuses) == {SuiteTestStatus.EXCUSED, SuiteTestStatus.WRONG}:
        return SuiteTestStatus.EXCUSED
    return (
        SuiteTestStatus.OPEN
        if set(statuses) == {SuiteTestStatus.CONTRACT, SuiteTestStatus.WRONG}
        else SuiteTestStatus.NEUTRAL
    )
