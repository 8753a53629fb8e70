"""Measurement of the player's own tests: whether they pass, and whether they would notice a mutant in the code.

The tests run in the player's own processes, whose reports can't be trusted. So only results count that need good tests:
mutants are planned here, in a process that runs none of that code, and sent as numbered changes, and only this side
knows which are controls. Controls rewrite code without changing its behaviour. Tests that notice one look at the
source, the clock, the environment or the harness, and earn nothing. Code that claims to have caught every change also
claims the controls.

A cheat is still possible: code that takes over its examiner, compares each change with the original, recognizes each
form of control (see ``mutation/candidates.py``), and answers accordingly. But it would be plainly visible in the
submission, and affects only facts about tests; it passes no trial.
"""

import contextlib
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from pydantic import ValidationError

from evalforge.evidence.certification import MutantTrials, TrialsEnd
from evalforge.evidence.control_files import runnable_python_files
from evalforge.evidence.examination import SuiteReport, SuiteStatus, receive_verdicts, suite_status
from evalforge.evidence.forked_task import ForkedTask, ParserDiedError, parsing
from evalforge.evidence.handover import Handover
from evalforge.evidence.impostors.facts import unmeasured_impostor_facts
from evalforge.evidence.impostors.measure import ImpostorSource, meet_impostors
from evalforge.evidence.missing_libraries import facts_without_pytest, withhold_where_libraries_lack
from evalforge.evidence.mutant_choice import MAX_TRIALS_SECONDS, TRIALS_END, MutantChoice
from evalforge.evidence.mutation.mutant import Mutant
from evalforge.evidence.mutation.mutation_plan import MutationJob, plan_jobs, sample_mutants
from evalforge.evidence.mutation_score import MutantOutcomes, is_void, mutation_score, noticed_facts, unmeasured_facts
from evalforge.evidence.out_of_time import merge_out_of_time, out_of_time_fact
from evalforge.evidence.static import test_files
from evalforge.evidence.suite_search import has_tests
from evalforge.evidence.vacuity import SuiteMeasurements, vacuous_fact
from evalforge.model.base import Frozen
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import Fact, Finding, ImpostorResult
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import FoundSuite
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.player_test_host import SLOW_MACHINE_SECONDS, PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import Ending, RunLimits
from evalforge.sandbox.staging import StagedSubmission

_EXAMINATION_SECONDS = 40.0
MAX_CPU_SECONDS = 60
_MAX_WALL_SECONDS = 580.0
"""Each host ends its runs sooner; the game waits for the trial worker hardly longer."""
_MAX_FINDINGS = 20
_NOT_RUN = "The tests could not be run here, twice in a row."
_TIME_UP = "Time ran out before every test and every seeded fault was run."
_IMPOSTORS_SAY = "The impostors show what these tests are worth."


class TestMeasurement(Frozen):
    """The results for the player's tests: facts, and a result for each impostor."""

    facts: tuple[Fact, ...]
    impostors: tuple[ImpostorResult, ...] = ()


class PlayerTestExamination:
    """Examines the player's tests while the trials run.

    Args:
        hosts: The hosts to run the tests in.
        staged: The submission on disk.
        submission: The submission.
        suite: The tests that pytest finds in it; None if it couldn't say.
        boss: The boss whose impostors to run the tests on; none if None.
        mutant_trials: Runs the boss's trials on mutants, if it has any.
    """

    def __init__(
        self,
        hosts: Sequence[PlayerTestHost],
        staged: StagedSubmission,
        submission: Submission,
        suite: FoundSuite | None = None,
        boss: ImpostorSource | None = None,
        mutant_trials: MutantTrials | None = None,
    ) -> None:
        self._hosts = hosts
        self._mutant_trials = mutant_trials
        self._handover = Handover()
        self._has_tests = has_tests(runnable_python_files(submission), suite)
        if self._has_tests:
            request = _MeasureRequest(hosts, staged, submission, suite, boss, mutant_trials, self._handover)
            self._task = ForkedTask(
                "examining the tests",
                lambda: _measure(request).model_dump(mode="json"),
                MAX_CPU_SECONDS,
                wall_seconds=_MAX_WALL_SECONDS,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End an examination whose result was never requested, so that the host is free for the next one."""
        self._handover.close()
        if self._has_tests:
            self._task.cancel()
            self._restart_hosts()

    def report_trials_end(self, trials_end: TrialsEnd) -> None:
        """Pass on which trials passed and what they executed: tests of code that no trial runs count for nothing."""
        self._handover.send(TRIALS_END.dump_json(trials_end))

    def result(self) -> TestMeasurement:
        """Wait for the measurement. Call this once.

        Raises:
            SandboxError: The examination failed, through no fault of the tests.
        """
        self._handover.send(b"")  # unless ``report_trials_end`` was called before
        if not self._has_tests:
            return TestMeasurement(facts=_unmeasured("There are no tests.", passed=None))
        self._has_tests = False
        try:
            measured: Any = self._task.result()
        except (ParserDiedError, SandboxError) as error:
            self._restart_hosts()
            if isinstance(error, SandboxError):
                raise
            return TestMeasurement(facts=_unmeasured("This code is too nested for Python's parser.", passed=None))
        return TestMeasurement.model_validate(measured)

    def _restart_hosts(self) -> None:
        """Replace hosts that are in the middle of a run."""
        trial_hosts = [self._mutant_trials.run.host] if self._mutant_trials and self._handover.was_sent else []
        for host in (*self._hosts, *trial_hosts):
            with contextlib.suppress(SandboxError):
                host.start()


def _unmeasured(reason: str, passed: float | None) -> tuple[Fact, ...]:
    return (*unmeasured_facts(reason, passed), vacuous_fact(), *unmeasured_impostor_facts(reason))


@dataclass(frozen=True)
class _MeasureRequest:
    hosts: Sequence[PlayerTestHost]
    staged: StagedSubmission
    submission: Submission
    suite: FoundSuite | None
    boss: ImpostorSource | None
    mutant_trials: MutantTrials | None
    handover: Handover


def _measure(request: _MeasureRequest) -> TestMeasurement:
    """Run the tests on the boss's programs, then on the player's own, with mutants if impostors say too little."""
    submission = request.submission
    impostors = meet_impostors(request.hosts, submission, request.boss, request.suite)
    mutants = MutantChoice(runnable_python_files(submission), impostors, request.handover, request.mutant_trials)
    own: tuple[Fact, ...] | None = None
    with contextlib.suppress(SandboxError):  # another host may succeed, and raises the error again if not
        own = _examine_own(request, mutants)
    own = own or _examine_own(request, mutants) or _facts_of_lost_tests()
    is_right = impostors.has_wrong_tests and mutants.have_all_trials_passed()
    impostors = impostors.beside_own(mutants.own_passing, is_right=is_right)
    if not mutants.are_needed:
        own = tuple(_said_by_impostors(fact) for fact in own)
    score = next(fact for fact in own if fact.name == "tests.mutation_score")
    vacuous = SuiteMeasurements(impostors, mutants, score).vacuous_fact()
    facts = merge_out_of_time((*own, vacuous, *impostors.facts(mutants.idle_tests)))
    return TestMeasurement(facts=facts, impostors=impostors.results)


def _facts_of_lost_tests() -> tuple[Fact, ...]:
    return (*unmeasured_facts(_NOT_RUN, passed=None), out_of_time_fact(1, _NOT_RUN))


def _said_by_impostors(fact: Fact) -> Fact:
    """A share of mutants replaced by a reason if no mutants were run; other facts stay as they are."""
    if fact.name not in ("tests.mutation_score", "tests.noticed"):
        return fact
    return Fact(name=fact.name, value=None, findings=(Finding(message=_IMPOSTORS_SAY),))


def _examine_own(request: _MeasureRequest, mutants: MutantChoice) -> tuple[Fact, ...] | None:
    """The facts of the tests on the player's own program; None if the host was lost, or did not answer in time.

    Raises:
        SandboxError: The tests can't be run here, through no fault of theirs.
    """
    host, submission, files = request.hosts[0], request.submission, mutants.files
    tests = test_files(files, request.suite)
    code = tuple(path for path in files if path not in tests)
    plan = PlayerTestPlan(
        tests,
        code,
        _EXAMINATION_SECONDS,
        wait_seconds=MAX_TRIALS_SECONDS,
        is_repeated=mutants.are_needed,  # the results to compare with must be certain
    )
    limits = RunLimits(seconds=plan.seconds, open_files=256)
    is_late = False
    connection = host.start_tests(request.staged, plan, limits)
    try:
        facts = _examine(connection, files, plan, mutants)
    except wire.WireTimeoutError:
        facts, is_late = [], True
    report = host.close_session(connection, limits, is_late=is_late)
    if any(fact.name == "tests.missing_libraries" for fact in facts):
        return tuple(facts)
    if facts:
        return withhold_where_libraries_lack(facts, submission)
    if is_late or report.ending is Ending.HOST_LOST:
        return None
    if report.ending in (Ending.MEMORY, Ending.DISK):
        return unmeasured_facts(f"The tests were stopped: they {report.abnormal_end}.", passed=0.0)
    return unmeasured_facts("The tests crashed the process that ran them.", passed=0.0)


def _examine(
    connection: socket.socket, files: dict[str, str], examination: PlayerTestPlan, mutants: MutantChoice
) -> list[Fact]:
    """Hold the whole conversation with the host, and return the facts; none if the host disconnects.

    Raises:
        WireTimeoutError: The host does not answer in time.
    """
    deadline = time.monotonic() + examination.seconds + SLOW_MACHINE_SECONDS
    try:
        report = SuiteReport.model_validate(wire.receive_frame(connection, deadline))
        if report.impossible:
            return list(facts_without_pytest())
        if report.stuck:
            return list(_stuck_facts(report))
        status = suite_status(report, frozenset(examination.tests), frozenset(examination.code))
        received = time.monotonic()
        candidates, equivalents = mutants.choose(examination.code, status)
        deadline += time.monotonic() - received
        sample = sample_mutants(candidates)
        with mutants.certification(sample) as certification:
            jobs, unreached = plan_jobs(sample, equivalents, status.baseline)
            requests = [job.as_request(number) for number, job in enumerate(jobs)]
            wire.send_frame(connection, {"jobs": requests})
            outcomes = _outcomes(connection, jobs, files, deadline)
            certified = certification.certified() if certification else None
    except wire.WireTimeoutError:
        raise
    except (wire.WireError, ValidationError):
        return []
    mutant_outcomes = MutantOutcomes(jobs, outcomes, unreached)
    score = mutation_score(status, mutant_outcomes, certified)
    noticed, certified_count = noticed_facts(score, mutant_outcomes, certified)
    untried = sum(not verdict for _, verdict in mutant_outcomes.tried)
    if untried and not is_void(score):  # the share among the quickest isn't the share of all
        score, noticed = (fact.model_copy(update={"value": None}) for fact in (score, noticed))
    gap = out_of_time_fact(status.unrun_count + untried, _TIME_UP)
    return [_passed_fact(status), score, noticed, certified_count, gap]


def _outcomes(
    connection: socket.socket, jobs: Sequence[MutationJob], files: dict[str, str], deadline: float
) -> dict[int, str]:
    """The outcome of each job that was run, by its number; ``broken`` isn't believed if the code compiles here."""
    outcomes: dict[int, str] = {}
    for verdict in receive_verdicts(connection, len(jobs), deadline):
        is_claimed = verdict.outcome == "broken" and _compiles(jobs[verdict.number].mutant, files)
        outcomes[verdict.number] = "survived" if is_claimed else verdict.outcome
    return outcomes


def _compiles(mutant: Mutant, files: dict[str, str]) -> bool:
    try:
        with parsing():
            source = mutant.changed(files[mutant.path]).encode("utf-8", "surrogatepass")
            compile(source, mutant.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _stuck_facts(report: SuiteReport) -> tuple[Fact, ...]:
    place = report.stuck
    assert place is not None
    facts = unmeasured_facts("The tests hung, or ended the process that ran them.", passed=0.0)
    finding = facts[0].findings[0].model_copy(update={"path": place.path, "line": place.line or None})
    return (facts[0].model_copy(update={"findings": (finding,)}), *facts[1:])


def _passed_fact(status: SuiteStatus) -> Fact:
    findings = [*status.findings[:_MAX_FINDINGS], *status.refusals[:_MAX_FINDINGS]]
    if status.unrun_count:
        findings.append(Finding(message=f"{status.unrun_count} tests were not run: out of time."))
    if not status.total_count and status.refusals:
        return Fact(name="tests.passed", value=None, findings=tuple(findings))
    if not status.total_count:
        text = "Every test is skipped or expected to fail." if status.skipped_count else "No test was found."
        return Fact(name="tests.passed", value=None, findings=(*findings, Finding(message=text)))
    return Fact(name="tests.passed", value=status.passed_count / status.total_count, findings=tuple(findings))
