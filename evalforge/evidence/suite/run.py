"""The experiment behind all facts about tests: a suite runs on a program, and on changes of it, and we read verdicts.

The changes are planned here, where none of the player's code runs, and sent as numbers: only this side knows which are
controls, that is, have no effect.
"""

import contextlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from evalforge.evidence.control_files import control_files, runnable_python_files
from evalforge.evidence.forked_task import note_step
from evalforge.evidence.static import test_files
from evalforge.evidence.suite.conversation import SuiteConversation, SuiteReport, Verdict
from evalforge.evidence.suite.inner_tests import NO_INNER_NAMES, InnerNames
from evalforge.evidence.suite.jobs import Job, JobKind, JobPlan
from evalforge.evidence.suite.mutant import Mutant
from evalforge.model.errors import SandboxError
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.sandbox.execution import FoundSuite
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import RunReport
from evalforge.sandbox.staging import StagedSubmission

_FIND_SECONDS = 12.0


@dataclass(frozen=True)
class Suite:
    """The tests of a submission.

    Attributes:
        hosts: The hosts to run them in; each runs them on one program at a time.
        submission: The submission.
        contents: What pytest finds in it; None if it wasn't asked, or can't say.
    """

    hosts: Sequence[PlayerTestHost]
    submission: Submission
    contents: FoundSuite | None = None

    @cached_property
    def files(self) -> dict[str, str]:
        """The submission's Python files that take part in a run: content by path."""
        return runnable_python_files(self.submission)

    @property
    def tests(self) -> tuple[str, ...]:
        """The files that belong to the tests: until pytest has found them, by their names."""
        return test_files(self.files, self.contents)

    @property
    def code(self) -> tuple[str, ...]:
        """The other files."""
        tests = frozenset(self.tests)
        return tuple(path for path in self.files if path not in tests)

    @property
    def is_empty(self) -> bool:
        """Whether there are no tests; if pytest can't say, whether no file is named like a test."""
        return not (self.contents.tests or self.contents.broken_files if self.contents else self.tests)


@dataclass(frozen=True)
class Program:
    """A program for a suite to run on: by default the player's own.

    Attributes:
        seconds: The time limit for the suite and all jobs.
        only_finds: Whether the tests are only found, not run.
        is_reversed: Whether the tests run in reverse order.
        files: The source by path of a program in place of the player's; empty for the player's own.
        replaced: The player's files that it replaces.
        inner: The names that only the player's program has, for which the tests get placeholders.
        explains_checks: Whether a failed assertion says what it compared.
        plan_jobs: Plans the jobs, once the tests have run on the unchanged program; without it there are none.
    """

    seconds: float
    only_finds: bool = False
    is_reversed: bool = False
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    replaced: frozenset[str] = frozenset()
    inner: InnerNames = NO_INNER_NAMES
    explains_checks: bool = False
    plan_jobs: Callable[[SuiteReport], JobPlan] | None = None

    def plan(self, suite: Suite, *, describes_tests: bool) -> PlayerTestPlan:
        """What a host must know to run a suite on it."""
        return PlayerTestPlan(
            tests=suite.tests,
            code=tuple(self.files) or suite.code,
            seconds=self.seconds,
            describes_tests=describes_tests,
            is_reversed=self.is_reversed,
            laid_out=self.files,
            inner_modules=tuple(sorted(self.inner.modules)),
            inner_names=tuple(sorted(self.inner.top_level)),
            inner_errors=tuple(sorted(self.inner.errors)),
            explains_checks=self.explains_checks,
        )

    def on_disk(self, submission: Submission) -> Submission:
        """The submission as it is on disk during a run: the files of a program in its place hold only their names.

        So nothing can be learned from them, but a copy of one is recognized by what it holds.
        """
        removed_paths = {*self.replaced, *self.files}
        kept_files = (file for file in submission.files if file.path not in removed_paths)
        named_files = (SubmissionFile(path=path, content=f"# {path}\n") for path in self.files)
        return Submission(files=(*kept_files, *named_files))


class Fate(Enum):
    """What became of a mutant."""

    CAUGHT = "a check of a test failed"
    CRASHED = "tests only crashed"
    HUNG = "tests ran out of time, or ended their process"
    HUNG_ANYWAY = "the same, but on unchanged code as well, so it proves nothing"
    MISSED = "no test failed"
    UNREACHED = "no test runs the changed code"
    NOT_RUN = "there was no time"


MISSED_FATES = frozenset({Fate.HUNG_ANYWAY, Fate.MISSED, Fate.UNREACHED})
_NOTICED = {"killed": Fate.CAUGHT, "crashed": Fate.CRASHED}
"""The verdicts on a change that a test noticed: by a check of its own, or by a crash."""
_HUNG = frozenset({"timeout", "lost"})


@dataclass(frozen=True)
class Reading:
    """The fate of a mutant, and the test that failed on it, if any."""

    mutant: Mutant
    fate: Fate
    test: str = ""


@dataclass(frozen=True)
class Outcome:
    """A suite's run on a program.

    Attributes:
        program: The program.
        report: The results on the unchanged program; None if the host disconnected or was silent.
        plan: The jobs that followed.
        verdicts: The verdicts by job number; those on jobs that were not run are missing.
        end: How the process of the tests ended.
        was_lost: Whether the host was lost, or did not answer in time: through no fault of the tests.
    """

    program: Program
    report: SuiteReport | None = None
    plan: JobPlan = field(default_factory=JobPlan)
    verdicts: Mapping[int, Verdict] = field(default_factory=dict[int, Verdict])
    end: RunReport | None = None
    was_lost: bool = False

    @property
    def void_control(self) -> Mutant | None:
        """A change without effect on which tests failed; if there is one, no verdict proves anything."""
        return next((job.mutant for job, verdict in self._controls if verdict.outcome in _NOTICED), None)

    @property
    def has_failed_check(self) -> bool:
        """Whether a check of any test failed on a mutant, even if that test isn't trusted."""
        return any(verdict.outcome == "killed" for _, verdict in self._with_verdicts(JobKind.FAULT))

    @property
    def has_looked(self) -> bool:
        """Whether a test looked at changed code, instead of behaviour."""
        return any(verdict.outcome == "looked" for verdict in self.verdicts.values())

    @property
    def _controls(self) -> Iterator[tuple[Job, Verdict]]:
        return self._with_verdicts(JobKind.CONTROL)

    def _with_verdicts(self, kind: JobKind) -> Iterator[tuple[Job, Verdict]]:
        for number, job in enumerate(self.plan.jobs):
            if job.kind is kind:
                yield job, self.verdicts.get(number, Verdict())

    def answers(self) -> Iterator[tuple[str, Mutant]]:
        """The tests that pass on a wrong program that was asked about, each with that program."""
        for job, verdict in self._with_verdicts(JobKind.QUESTION):
            if verdict.outcome == "survived":
                yield job.tests[0], job.mutant

    def readings(self, trusted_tests: Container[str] | None = None) -> list[Reading]:
        """The fate of each mutant.

        Args:
            trusted_tests: The tests that may catch one; by default all.
        """
        readings = [
            Reading(job.mutant, self._fate(verdict, trusted_tests), verdict.test)
            for job, verdict in self._with_verdicts(JobKind.FAULT)
        ]
        readings += [Reading(mutant, Fate.UNREACHED) for mutant in self.plan.unreached]
        if self.report is None or not any(run.left for run in self.report.runs):
            return readings
        # A test that was not run might have caught what the others missed.
        return [replace(each, fate=Fate.NOT_RUN) if each.fate in MISSED_FATES else each for each in readings]

    def _fate(self, verdict: Verdict, trusted_tests: Container[str] | None) -> Fate:
        if not verdict.outcome:
            return Fate.NOT_RUN
        is_trusted = trusted_tests is None or not verdict.test or verdict.test in trusted_tests
        if not is_trusted or self.void_control:
            return Fate.MISSED
        if verdict.outcome in _HUNG:
            hangs_anyway = any(control_verdict.outcome in _HUNG for _, control_verdict in self._controls)
            return Fate.HUNG_ANYWAY if hangs_anyway else Fate.HUNG
        return _NOTICED.get(verdict.outcome, Fate.MISSED)


OnFound = Callable[[FoundSuite | None], object]
"""Called with the tests that pytest finds, before they run."""


def run(suite: Suite, programs: Sequence[Program], on_found: OnFound | None = None) -> list[Outcome]:
    """Run a suite on programs, and on the changes of each. A program whose host was lost is run once more.

    Raises:
        SandboxError: A host had ended, twice in a row.
        PackError: A change doesn't fit its program.
    """
    outcomes: list[Outcome] = []
    for first in range(0, len(programs), len(suite.hosts)):
        for outcome in _run_side_by_side(suite, programs[first : first + len(suite.hosts)], on_found):
            is_lost = outcome.report is None and outcome.was_lost
            outcomes += _run_side_by_side(suite, [outcome.program], on_found, is_last=True) if is_lost else [outcome]
    return outcomes


def _run_side_by_side(
    suite: Suite, programs: Sequence[Program], on_found: OnFound | None, *, is_last: bool = False
) -> list[Outcome]:
    """Run a suite on several programs concurrently, each in a host of its own.

    Changes only start when all unchanged programs have finished, because tests on a wrong program could learn from the
    others what is right.
    """
    runs: list[_ProgramRun] = []
    lost: list[Outcome] = []
    with contextlib.ExitStack() as stack:
        for host, program in zip(suite.hosts, programs, strict=False):
            try:
                runs.append(_ProgramRun(stack, suite, program, host, on_found))
            except SandboxError:  # the host was started anew, and raises the error again if that did not help
                if is_last:
                    raise
                lost.append(Outcome(program, was_lost=True))
        for step in (_ProgramRun.receive_report, _ProgramRun.send_jobs, _ProgramRun.receive_verdicts):
            for program_run in runs:
                step(program_run)
    return [program_run.outcome() for program_run in runs] + lost


class _ProgramRun:
    """A suite's run on one program, step by step.

    Raises:
        SandboxError: The host had ended, and another was started.
    """

    def __init__(
        self,
        stack: contextlib.ExitStack,
        suite: Suite,
        program: Program,
        host: PlayerTestHost,
        on_found: OnFound | None,
    ) -> None:
        self._program, self._on_found = program, on_found
        left_out = frozenset(control_files(suite.submission))
        staged = stack.enter_context(StagedSubmission(program.on_disk(suite.submission), left_out))
        plan = program.plan(suite, describes_tests=program.only_finds or on_found is not None)
        self._conversation = stack.enter_context(SuiteConversation(host, staged, plan))
        self._report: SuiteReport | None = None
        self._plan = JobPlan()
        self._verdicts: dict[int, Verdict] = {}

    def receive_report(self) -> None:
        report = self._conversation.receive_report()
        if report and report.is_preliminary and self._on_found:
            self._on_found(report.suite())
            report = self._conversation.receive_report()
        self._report = report

    def send_jobs(self) -> None:
        if self._program.plan_jobs and self._report and self._report.runs:
            self._plan = self._program.plan_jobs(self._report)
        if self._plan.jobs:
            self._conversation.send_jobs(self._plan.jobs)
            if self._conversation.is_cut_off:
                self._report = None

    def receive_verdicts(self) -> None:
        if self._plan.jobs and self._report:
            for verdict in self._conversation.receive_verdicts(len(self._plan.jobs)):
                self._verdicts[verdict.number] = verdict
                if self._plan.jobs[verdict.number].kind is JobKind.FAULT:
                    note_step()

    def outcome(self) -> Outcome:
        """The outcome, once the conversation is over."""
        conversation = self._conversation
        return Outcome(self._program, self._report, self._plan, self._verdicts, conversation.end, conversation.was_lost)


def find_suite(suite: Suite) -> Suite:
    """The same suite, with the tests that pytest finds; None if it can't say, as where loading them hangs."""
    with contextlib.suppress(SandboxError):
        (outcome,) = run(suite, [Program(_FIND_SECONDS, only_finds=True)])
        return replace(suite, contents=outcome.report.suite() if outcome.report else None)
    return suite
