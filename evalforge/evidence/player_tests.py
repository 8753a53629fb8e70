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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from pydantic import TypeAdapter

from evalforge.evidence.certification import MutantTrials, TrialsEnd
from evalforge.evidence.control_files import runnable_python_files
from evalforge.evidence.examination import (
    CodePlace,
    SuiteConversation,
    SuiteReport,
    SuiteStatus,
    suite_status,
)
from evalforge.evidence.forked_task import ForkedTask, ParserDiedError, parsing
from evalforge.evidence.handover import Handover
from evalforge.evidence.impostors.facts import unmeasured_impostor_facts
from evalforge.evidence.impostors.measure import ImpostorMeasurement, ImpostorSource, meet_impostors
from evalforge.evidence.missing_libraries import MISSING_LIBRARIES, facts_without_pytest, withhold_where_libraries_lack
from evalforge.evidence.mutant_choice import TRIALS_END, MutantChoice
from evalforge.evidence.mutation.mutant import Mutant
from evalforge.evidence.mutation.mutation_plan import MutationJob, plan_jobs, sample_mutants
from evalforge.evidence.mutation_score import MutantOutcomes, is_void, mutation_score, noticed_facts, unmeasured_facts
from evalforge.evidence.out_of_time import merge_out_of_time, out_of_time_fact
from evalforge.evidence.static import test_files
from evalforge.evidence.suite_search import has_tests
from evalforge.model.base import Frozen
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import Fact, Finding, ImpostorResult
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import FoundSuite
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import Ending
from evalforge.sandbox.staging import StagedSubmission

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


@dataclass(frozen=True)
class SuiteMeasurements:
    """The programs that the tests were run on: the boss's, and mutants of the player's own.

    Attributes:
        impostors: The results on the boss's programs.
        mutants: The mutants that were run.
        noticed: The share of mutants that the tests noticed.
    """

    impostors: ImpostorMeasurement
    mutants: MutantChoice
    noticed: Fact

    def vacuous_fact(self) -> Fact:
        """The fact ``tests.vacuous``, with the way in which the tests are vacuous."""
        return vacuous_fact(self._way())

    def _way(self) -> str:
        """The way in which the tests check no result; empty if they check any. Direct evidence comes first."""
        if self.mutants.only_look:
            return _LOOK
        if not self.noticed.value:
            if self.impostors.is_content_with_nothing:
                return _HOLLOW
            if self.impostors.is_idle(self.mutants.idle_tests):
                return _IDLE
        if self.noticed.value == 0 and not self.impostors.has_unmasked:
            return self._way_on_mutants()
        return ""

    def _way_on_mutants(self) -> str:
        if is_void(self.noticed):
            return _VOID
        return _COPY if self.mutants.have_copies else _BLIND


def vacuous_fact(way: str = "") -> Fact:
    """The fact ``tests.vacuous``: true if there is a way in which the tests are vacuous."""
    return Fact(name="tests.vacuous", value=bool(way), findings=(Finding(message=way),) if way else ())


_FOUND_SUITE = TypeAdapter[FoundSuite | None](FoundSuite | None)
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
    """Examines the player's tests while the trials run."""

    def __init__(
        self,
        hosts: Sequence[PlayerTestHost],
        staged: StagedSubmission,
        submission: Submission,
        boss: ImpostorSource | None = None,
        mutant_trials: MutantTrials | None = None,
    ) -> None:
        self._hosts = hosts
        self._mutant_trials = mutant_trials
        self._trials_end, self._found_suite = Handover(), Handover()
        self._is_running = True
        request = _MeasureRequest(hosts, staged, submission, boss, mutant_trials, self._trials_end, self._found_suite)
        self._task = ForkedTask(
            "examining the tests",
            lambda: _measure(request).model_dump(mode="json"),
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

    def result(self) -> TestMeasurement:
        """Wait for the measurement. Call this once.

        Raises:
            SandboxError: The examination failed, through no fault of the tests.
        """
        self._trials_end.send(b"")  # unless ``report_trials_end`` was called before
        self._is_running = False
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
        trial_hosts = [self._mutant_trials.run.host] if self._mutant_trials and self._trials_end.was_sent else []
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
    boss: ImpostorSource | None
    mutant_trials: MutantTrials | None
    trials_end: Handover
    found_suite: Handover


def _measure(request: _MeasureRequest) -> TestMeasurement:
    """Run the tests on the player's own program, then on the boss's, then on mutants if impostors say too little."""
    files = runnable_python_files(request.submission)
    own = _OwnTests(request, files)
    own.run()
    if not has_tests(files, own.suite):
        return TestMeasurement(facts=_unmeasured("There are no tests.", passed=None))
    impostors = meet_impostors(request.hosts, request.submission, request.boss, own.suite)
    mutants = MutantChoice(files, impostors, request.trials_end, request.mutant_trials)
    facts = own.facts(mutants)
    is_right = impostors.has_wrong_tests and mutants.have_all_trials_passed()
    impostors = impostors.beside_own(mutants.own_passing, is_right=is_right)
    if not mutants.are_needed:
        facts = tuple(_said_by_impostors(fact) for fact in facts)
    score = next(fact for fact in facts if fact.name == "tests.mutation_score")
    vacuous = SuiteMeasurements(impostors, mutants, score).vacuous_fact()
    facts = merge_out_of_time((*facts, vacuous, *impostors.facts(mutants.idle_tests)))
    return TestMeasurement(facts=facts, impostors=impostors.results)


def _said_by_impostors(fact: Fact) -> Fact:
    """A share of mutants replaced by a reason if no mutants were run; other facts stay as they are."""
    if fact.name not in ("tests.mutation_score", "tests.noticed"):
        return fact
    return Fact(name=fact.name, value=None, findings=(Finding(message=_IMPOSTORS_SAY),))


_Talk = Callable[[SuiteConversation], Sequence[Fact]]
"""Talks to a host and returns facts; none if the conversation is cut off."""


class _OwnTests:
    """The player's tests on their own program.

    Attributes:
        suite: The tests that pytest finds, once they have run; None if it couldn't say.
    """

    def __init__(self, request: _MeasureRequest, files: dict[str, str]) -> None:
        self._request = request
        self._files = files
        self._status: SuiteStatus | None = None
        self._facts_without_status: Sequence[Fact] = ()
        self.suite: FoundSuite | None = None

    def run(self) -> None:
        """Find the tests, hand on which there are, and run them.

        Raises:
            SandboxError: The tests can't be run here, through no fault of theirs.
        """

        def receive_results(conversation: SuiteConversation) -> Sequence[Fact]:
            report = conversation.receive_report()
            if report is not None:
                self.suite = report.suite()
                self._request.found_suite.send(_FOUND_SUITE.dump_json(self.suite))
                if report.is_preliminary:
                    report = conversation.receive_report()
            if report is None:
                return []
            if facts := _facts_without_results(report):
                return facts
            tests, code = self._divided_files()
            self._status = suite_status(report, frozenset(tests), frozenset(code))
            return [_passed_fact(self._status)]

        facts = self._converse(receive_results, describes_tests=True)
        self._request.found_suite.send(_FOUND_SUITE.dump_json(self.suite))  # unless it was sent before
        self._facts_without_status = () if self._status else facts

    def facts(self, mutants: MutantChoice) -> tuple[Fact, ...]:
        """The facts about the tests, with what mutants show, if any are needed.

        Raises:
            SandboxError: The tests can't be run here, through no fault of theirs.
        """
        facts = self._facts_without_status or self._try_mutants(mutants)
        if any(fact.name == MISSING_LIBRARIES for fact in facts):
            return tuple(facts)
        return withhold_where_libraries_lack(facts, self._request.submission)

    def _divided_files(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The files that belong to the tests, and the others: until the tests are found, by their names."""
        tests = test_files(self._files, self.suite)
        return tests, tuple(path for path in self._files if path not in tests)

    def _try_mutants(self, mutants: MutantChoice) -> Sequence[Fact]:
        first = self._status
        assert first is not None
        tests, code = self._divided_files()
        candidates, equivalents = mutants.choose(code, first)
        sample = sample_mutants(candidates)
        if not sample:
            return _mutant_facts(first, MutantOutcomes((), {}), None)

        def send_mutants(conversation: SuiteConversation) -> Sequence[Fact]:
            report = conversation.receive_report()
            if report is None or _facts_without_results(report):
                return []
            status = suite_status(report, frozenset(tests), frozenset(code)).only_with(first.baseline)
            with mutants.certification(sample) as certification:
                jobs, unreached = plan_jobs(sample, equivalents, status.baseline)
                conversation.send_jobs(jobs)
                if conversation.is_cut_off:
                    return []
                outcomes = _outcomes(conversation, jobs, self._files)
                certified = certification.certified() if certification else None
            return _mutant_facts(status, MutantOutcomes(jobs, outcomes, unreached), certified)

        _, *facts = self._converse(send_mutants, is_reversed=True)
        return [_passed_fact(first), *facts]

    def _converse(self, talk: _Talk, *, describes_tests: bool = False, is_reversed: bool = False) -> Sequence[Fact]:
        """Let a host begin with the tests, and talk to it; if it is lost, once more.

        Returns:
            The facts of the conversation, or those that say why there was none.

        Raises:
            SandboxError: The tests can't be run here, through no fault of theirs.
        """
        tests, code = self._divided_files()
        plan = PlayerTestPlan(
            tests, code, _EXAMINATION_SECONDS, describes_tests=describes_tests, is_reversed=is_reversed
        )
        facts: Sequence[Fact] | None = None
        with contextlib.suppress(SandboxError):  # another host may succeed, and raises the error again if not
            facts = self._converse_once(plan, talk)
        return facts or self._converse_once(plan, talk) or _facts_of_lost_tests()

    def _converse_once(self, plan: PlayerTestPlan, talk: _Talk) -> Sequence[Fact] | None:
        """The facts of one conversation; None if the host was lost, or did not answer in time."""
        with SuiteConversation(self._request.hosts[0], self._request.staged, plan) as conversation:
            facts = talk(conversation)
        if facts:
            return facts
        if conversation.was_lost:
            return None
        if conversation.end.ending in (Ending.MEMORY, Ending.DISK):
            return unmeasured_facts(f"The tests were stopped: they {conversation.end.abnormal_end}.", passed=0.0)
        return unmeasured_facts("The tests crashed the process that ran them.", passed=0.0)


def _facts_of_lost_tests() -> tuple[Fact, ...]:
    return (*unmeasured_facts(_NOT_RUN, passed=None), out_of_time_fact(1, _NOT_RUN))


def _facts_without_results(report: SuiteReport) -> Sequence[Fact]:
    """The facts of tests that did not run, with the reason; none if they did."""
    if report.impossible:
        return facts_without_pytest()
    return _stuck_facts(report.stuck) if report.stuck else ()


def _mutant_facts(status: SuiteStatus, outcomes: MutantOutcomes, certified: frozenset[Mutant] | None) -> Sequence[Fact]:
    """All facts about tests that ran: which pass, and which mutants they notice."""
    score = mutation_score(status, outcomes, certified)
    noticed, certified_count = noticed_facts(score, outcomes, certified)
    untried = sum(not verdict for _, verdict in outcomes.tried)
    if untried and not is_void(score):  # the share among the quickest isn't the share of all
        score, noticed = (fact.model_copy(update={"value": None}) for fact in (score, noticed))
    gap = out_of_time_fact(status.unrun_count + untried, _TIME_UP)
    return [_passed_fact(status), score, noticed, certified_count, gap]


def _outcomes(conversation: SuiteConversation, jobs: Sequence[MutationJob], files: dict[str, str]) -> dict[int, str]:
    """The outcome of each job that was run, by its number; ``broken`` isn't believed if the code compiles here."""
    outcomes: dict[int, str] = {}
    for verdict in conversation.receive_verdicts(len(jobs)):
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


def _stuck_facts(place: CodePlace) -> tuple[Fact, ...]:
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
