"""Measurement of the player's own tests: whether they pass, and whether they would notice a wrong program.

The tests run in the player's own processes, whose reports can't be trusted. So only results count that need good tests:
wrong programs are planned here, in a process that runs none of that code, and sent as numbered changes, and only this
side knows which are controls. Controls rewrite code without changing its behaviour. Tests that notice one look at the
source, the clock, the environment or the harness, and earn nothing. Code that claims to have caught every change also
claims the controls.

A cheat is still possible: code that takes over its examiner, compares each change with the original, recognizes each
form of control (see ``candidates.py``), and answers accordingly. But it would be plainly visible in the submission, and
affects only facts about tests; it passes no trial.
"""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from pydantic import TypeAdapter

from evalforge.evidence.forked_task import ForkedTask, ParserDiedError
from evalforge.evidence.handover import Handover
from evalforge.evidence.machine_load import slowdown
from evalforge.evidence.missing_libraries import MISSING_LIBRARIES, missing_library_finding, missing_pytest_finding
from evalforge.evidence.out_of_time import merge_out_of_time, out_of_time_fact
from evalforge.evidence.suite.certification import Certification, MutantTrials, TrialsEnd
from evalforge.evidence.suite.conversation import SuiteReport
from evalforge.evidence.suite.impostor_facts import ImpostorMeasurement, unmeasured_impostor_facts
from evalforge.evidence.suite.impostors import ImpostorSource, meet_impostors
from evalforge.evidence.suite.jobs import JobPlan, plan_jobs
from evalforge.evidence.suite.mutant_facts import is_void, mutant_facts, unmeasured_facts
from evalforge.evidence.suite.mutants import TRIALS_END, MutantChoice, choose_mutants
from evalforge.evidence.suite.own_tests import OwnTests, own_tests
from evalforge.evidence.suite.run import Outcome, Program, Suite, run
from evalforge.model.base import Frozen
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import Fact, Finding, ImpostorResult
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import FoundSuite
from evalforge.sandbox.player_test_host import PlayerTestHost
from evalforge.sandbox.report import Ending

# Vacuous tests, which check no result of the program, with words that describe exactly how they fail to.

_HOLLOW = "The tests would pass on a program that answers nothing: none of them checks an answer."
_IDLE = "The tests run nothing that the boss's trials run, so they check none of its answers."
_LOOK = "Every test that passes looks at code instead of behaviour: none of them counts."
_VOID = "The tests also fail on code that was changed without effect, so they don't catch wrong answers."
_COPY = (
    "The tests contain a copy of your program's code, and no check caught a fault in both: "
    "code that is compared with itself is always right."
)
_BLIND = "No check in any test caught one of the small faults in your program."

_FOUND_SUITE = TypeAdapter[FoundSuite | None](FoundSuite | None)
_OWN_SECONDS = 40.0
_TRIALS_SECONDS = 60.0  # how long mutants wait for the end of the trials on an idle machine
MAX_CPU_SECONDS = 60
_MAX_WALL_SECONDS = 580.0
"""Each host ends its runs sooner; the game waits for the trial worker hardly longer."""
_NO_TESTS = "There are no tests."
_NOT_RUN = "The tests could not be run here, twice in a row."
_HUNG = "The tests hung, or ended the process that ran them."
_CRASHED = "The tests crashed the process that ran them."
_TOO_NESTED = "This code is too nested for Python's parser."
_IMPOSTORS_SAY = Finding(message="The impostors show what these tests are worth.")


class TestMeasurement(Frozen):
    """The results for the player's tests: facts, and a result for each impostor."""

    facts: tuple[Fact, ...]
    impostors: tuple[ImpostorResult, ...] = ()


class PlayerTestExamination:
    """Examines the player's tests while the trials run."""

    def __init__(
        self,
        hosts: Sequence[PlayerTestHost],
        submission: Submission,
        boss: ImpostorSource | None = None,
        mutant_trials: MutantTrials | None = None,
    ) -> None:
        self._hosts = hosts
        self._mutant_trials = mutant_trials
        self._trials_end, self._found_suite = Handover(), Handover()
        self._is_running = True
        examination = _Examination(Suite(hosts, submission), boss, mutant_trials, self._trials_end, self._found_suite)
        self._task = ForkedTask(
            "examining the tests",
            lambda: examination.measure().model_dump(mode="json"),
            MAX_CPU_SECONDS,
            wall_seconds=_MAX_WALL_SECONDS,
        )
        self._found_suite.only_receive()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End an examination whose result was never requested, so that the host is free for the next one."""
        self._trials_end.close()
        self._found_suite.close()
        if self._is_running:
            self._task.cancel()
            self._restart_hosts()

    def suite(self) -> FoundSuite | None:
        """Wait for the tests that pytest finds in the submission; None if it can't say."""
        suite = self._found_suite.receive(_MAX_WALL_SECONDS)
        return _FOUND_SUITE.validate_json(suite) if suite else None

    def report_trials_end(self, trials_end: TrialsEnd) -> None:
        """Pass on which trials passed and what they executed: tests of code that no trial runs count for nothing."""
        self._trials_end.send(TRIALS_END.dump_json(trials_end))

    def result(self, on_step: Callable[[int], object] = lambda count: None) -> TestMeasurement:
        """Wait for the measurement. Call this once.

        Args:
            on_step: Called meanwhile with the number of wrong programs that the tests have met.

        Raises:
            SandboxError: The examination failed, through no fault of the tests.
        """
        self._trials_end.send(b"")  # unless ``report_trials_end`` was called before
        self._is_running = False
        try:
            measured: Any = self._task.result(on_step)
        except (ParserDiedError, SandboxError) as error:
            self._restart_hosts()
            if isinstance(error, SandboxError):
                raise
            return _unmeasured(_TOO_NESTED)
        return TestMeasurement.model_validate(measured)

    def _restart_hosts(self) -> None:
        """Replace hosts that are in the middle of a run."""
        trial_hosts = [self._mutant_trials.run.host] if self._mutant_trials and self._trials_end.was_sent else []
        for host in (*self._hosts, *trial_hosts):
            with contextlib.suppress(SandboxError):
                host.start()


def _unmeasured(reason: str) -> TestMeasurement:
    facts = (*unmeasured_facts(Finding(message=reason), None), _vacuous_fact(), *unmeasured_impostor_facts(reason))
    return TestMeasurement(facts=facts)


def _vacuous_fact(way: str = "") -> Fact:
    """The fact ``tests.vacuous``: true if there is a way in which the tests are vacuous."""
    return Fact(name="tests.vacuous", value=bool(way), findings=(Finding(message=way),) if way else ())


@dataclass(frozen=True)
class _Examination:
    """Runs a suite on the player's own program, on the boss's, and on mutants if impostors say too little."""

    suite: Suite
    boss: ImpostorSource | None
    mutant_trials: MutantTrials | None
    trials_end: Handover
    found_suite: Handover

    def measure(self) -> TestMeasurement:
        """Measure the suite.

        Raises:
            SandboxError: The tests can't be run here, through no fault of theirs.
        """
        suite, outcome = self._run_on_own_program()
        if suite.is_empty:
            return _unmeasured(_NO_TESTS)
        impostors = meet_impostors(suite, self.boss)
        needs_mutants, choice, own = impostors.needs_mutants(), MutantChoice(), None
        facts = _facts_without_results(outcome)
        if not facts and outcome.report:
            own = own_tests(outcome.report, suite)
            if needs_mutants:
                choice = self._choose_mutants(suite, own)
                needs_mutants = impostors.needs_mutants(choice.idle_tests)
            mutant_facts_ = self._facts_of_mutants(suite, own, choice if needs_mutants else MutantChoice())
            facts = (own.passed_fact(), *mutant_facts_)
            is_right = impostors.has_wrong_tests and self._have_all_trials_passed()
            impostors = impostors.beside_own(own.passing_names, is_right=is_right)
        facts = _without_missing_library(facts, suite.submission)
        if not needs_mutants:
            facts = tuple(_said_by_impostors(fact) for fact in facts)
        score = next(fact for fact in facts if fact.name == "tests.mutation_score")
        vacuous = _vacuous_fact(_vacuous_way(own, impostors, choice, score))
        facts = merge_out_of_time((*facts, vacuous, *impostors.facts(choice.idle_tests)))
        return TestMeasurement(facts=facts, impostors=impostors.results)

    def _run_on_own_program(self) -> tuple[Suite, Outcome]:
        """Run the tests on the player's own program, and hand on which there are."""
        found_suites: list[FoundSuite | None] = []

        def hand_over(suite: FoundSuite | None) -> None:
            found_suites.append(suite)
            self.found_suite.send(_FOUND_SUITE.dump_json(suite))

        (outcome,) = run(self.suite, [Program(_OWN_SECONDS)], hand_over)
        if not found_suites:
            hand_over(outcome.report.suite() if outcome.report else None)
        return replace(self.suite, contents=found_suites[-1]), outcome

    def _choose_mutants(self, suite: Suite, own: OwnTests) -> MutantChoice:
        trials_end = self._receive_trials_end()
        if trials_end is None:  # the code that the trials run isn't known in time, and no other code is worth changing
            return MutantChoice()
        return choose_mutants(suite, own.baseline, TRIALS_END.validate_json(trials_end) if trials_end else None)

    def _have_all_trials_passed(self) -> bool:
        trials_end = self._receive_trials_end()
        return bool(trials_end) and TRIALS_END.validate_json(trials_end).have_all_passed

    def _receive_trials_end(self) -> bytes | None:
        return self.trials_end.receive(_TRIALS_SECONDS * slowdown())

    def _facts_of_mutants(self, suite: Suite, own: OwnTests, choice: MutantChoice) -> Sequence[Fact]:
        """Run the tests on mutants, in reverse order, and trials beside them that show which break the contract."""

        def plan(report: SuiteReport) -> JobPlan:
            return plan_jobs(choice.sample, choice.equivalents, own.baseline_with(own_tests(report, suite).baseline))

        program = Program(_OWN_SECONDS, is_reversed=True, plan_jobs=plan)
        if not choice.sample:
            return mutant_facts(own, Outcome(program))
        with self._certification(choice) as certification:
            (outcome,) = run(suite, [program])
            certified = certification.certified() if certification else None
        facts = _facts_without_results(outcome)
        if facts or outcome.report is None:
            return facts[1:]
        return mutant_facts(own_tests(outcome.report, suite), outcome, certified)

    def _certification(self, choice: MutantChoice) -> contextlib.AbstractContextManager[Certification | None]:
        if self.mutant_trials is None:
            return contextlib.nullcontext()
        return Certification(self.mutant_trials, choice.sample, choice.passed_trials)


def _vacuous_way(own: OwnTests | None, impostors: ImpostorMeasurement, choice: MutantChoice, score: Fact) -> str:
    """The way in which the tests check no result; empty if they check any. Direct evidence comes first.

    Tests that unmask an impostor do notice a wrong program, even if they only crash on it.
    """
    if impostors.has_unmasked or score.value:
        return ""
    if own and own.only_look:
        return _LOOK
    if impostors.is_content_with_nothing:
        return _HOLLOW
    if impostors.is_idle(choice.idle_tests):
        return _IDLE
    if score.value is None:
        return ""
    if is_void(score):
        return _VOID
    return _COPY if choice.have_copies else _BLIND


def _facts_without_results(outcome: Outcome) -> tuple[Fact, ...]:
    """The facts of tests that did not run, with the reason; none if they did."""
    report = outcome.report
    if report is None and outcome.was_lost:
        return (*unmeasured_facts(Finding(message=_NOT_RUN), None), out_of_time_fact(1, _NOT_RUN))
    if report is None:
        end = outcome.end
        is_stopped = end is not None and end.ending in (Ending.MEMORY, Ending.DISK)
        message = f"The tests were stopped: they {end.abnormal_end}." if end and is_stopped else _CRASHED
        return unmeasured_facts(Finding(message=message), 0.0)
    if report.impossible:
        return _facts_without_library(missing_pytest_finding())
    if report.stuck:
        return unmeasured_facts(Finding(message=_HUNG, path=report.stuck.path, line=report.stuck.line or None), 0.0)
    return ()


def _facts_without_library(finding: Finding) -> tuple[Fact, ...]:
    """The facts of tests that need a missing library, which the finding names."""
    return (*unmeasured_facts(finding, None), Fact(name=MISSING_LIBRARIES, value=1, findings=(finding,)))


def _without_missing_library(facts: tuple[Fact, ...], submission: Submission) -> tuple[Fact, ...]:
    """The facts, but for a reason why nothing was measured if a test needs a missing library."""
    if any(fact.name == MISSING_LIBRARIES for fact in facts):
        return facts
    finding = missing_library_finding(facts[0].findings, submission)
    return _facts_without_library(finding) if finding else (*facts, Fact(name=MISSING_LIBRARIES, value=0))


def _said_by_impostors(fact: Fact) -> Fact:
    """A share of mutants replaced by a reason if no mutants were run; other facts stay as they are."""
    if fact.name not in ("tests.mutation_score", "tests.noticed"):
        return fact
    return Fact(name=fact.name, value=None, findings=(_IMPOSTORS_SAY,))
