"""The player's own tests: do they pass, and would they notice a mutant in the code?

The tests run in processes that belong to the player's code, so nothing those say is believed on its word. What counts
is what can't be had without good tests: mutants are planned here, in a process that runs none of that code, and go out
as numbered changes among which only this side knows the controls. Controls rewrite code without changing what it does;
tests that notice one look at the source, the clock, the environment or the harness, and earn nothing. Code that claims
every change was caught claims it of the controls as well.

What a forger can still gain: code that takes over its examiner, compares each change with the original, undoes each
form of control there is (see ``mutation/candidates.py``) and answers accordingly. It has to be in plain sight in what
was handed in, and moves facts about tests alone; no trial can be passed by it.
"""

import contextlib
import socket
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from pydantic import ValidationError

from evalforge.evidence.control_files import control_files
from evalforge.evidence.examination import MutantVerdict, SuiteReport, SuiteStatus, suite_status
from evalforge.evidence.forked_task import ForkedTask
from evalforge.evidence.mutation.candidates import find_mutants
from evalforge.evidence.mutation.mutant import Mutant
from evalforge.evidence.mutation.plan import MutationJob, plan_jobs, sample_mutants
from evalforge.evidence.mutation_score import mutation_facts, unmeasured_facts
from evalforge.evidence.static import is_test_file
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import Fact, Finding
from evalforge.model.submission import Submission
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import Ending, RunLimits
from evalforge.sandbox.staging import StagedSubmission

_EXAMINATION_SECONDS = 12.0
_START_SECONDS = 6.0
_CPU_SECONDS = 10
_MAX_FINDINGS = 20
_TOOL_FILES = frozenset({"setup.py", "noxfile.py", "conf.py"})


class PlayerTestExamination:
    """An examination of the player's tests that runs while the trials do.

    Args:
        host: The host the tests run in.
        staged: The submission on disk.
        submission: The same, as it was handed in.
    """

    def __init__(self, host: PlayerTestHost, staged: StagedSubmission, submission: Submission) -> None:
        self._host = host
        self._limits = RunLimits(seconds=_EXAMINATION_SECONDS, open_files=256)
        files = _python_files(submission)
        tests = tuple(path for path in files if is_test_file(path) and "test" in files[path])
        self._connection: socket.socket | None = None
        self._unavailable_reason = "" if tests else "There are no tests."
        if not tests:
            return
        code = tuple(path for path in files if not is_test_file(path) and path.rpartition("/")[2] not in _TOOL_FILES)
        examination = PlayerTestPlan(tests, code, _EXAMINATION_SECONDS)
        try:
            connection = self._connection = host.start_tests(staged, examination, self._limits)
        except SandboxError as error:
            self._unavailable_reason = str(error)
            return
        self._task = ForkedTask(
            lambda: [fact.model_dump(mode="json") for fact in _examine(connection, files, examination)], _CPU_SECONDS
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End an examination whose facts were never asked for, so that the host is free for the next."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SandboxError):
                self._host.close_session(connection, self._limits, late=True)
            self._task.result()

    def facts(self) -> tuple[Fact, ...]:
        """``tests.passed``, ``tests.mutation_score``, ``tests.mutants``, ``tests.timeouts``; waits for them. Once."""
        connection, self._connection = self._connection, None
        if connection is None:
            return unmeasured_facts(self._unavailable_reason, passed=None)
        fact_data: list[Any] | None = self._task.result()
        try:
            report = self._host.close_session(connection, self._limits, late=fact_data is None)
        except SandboxError as error:
            return unmeasured_facts(str(error), passed=None)
        if fact_data:
            return tuple(Fact.model_validate(fact) for fact in fact_data)
        if report.ending is Ending.HOST_LOST:
            return unmeasured_facts("The tests could not be run here.", passed=None)
        if fact_data is None:
            return unmeasured_facts("Examining the tests took too long.", passed=None)
        if report.ending in (Ending.MEMORY, Ending.DISK):
            return unmeasured_facts(f"The tests were stopped: they {report.abnormal_end}.", passed=0.0)
        return unmeasured_facts("The tests brought down the process that ran them.", passed=0.0)


def _python_files(submission: Submission) -> dict[str, str]:
    left_out = control_files(submission)
    files = {file.path: file.content for file in submission.files if file.path.endswith(".py")}
    return {path: files[path] for path in sorted(files) if path not in left_out}


def _examine(connection: socket.socket, files: dict[str, str], examination: PlayerTestPlan) -> list[Fact]:
    """Hold the whole conversation with the host, and make facts of it; none if the host breaks off."""
    deadline = time.monotonic() + _EXAMINATION_SECONDS + _START_SECONDS
    mutants, equivalents = _all_mutants(files, examination.code)
    try:
        report = SuiteReport.model_validate(wire.receive_frame(connection, deadline))
        if report.impossible:
            return list(unmeasured_facts(f"The tests were not run: {report.impossible}.", passed=None))
        if report.stuck:
            return list(_stuck_facts(report))
        status = suite_status(report, frozenset(examination.tests), frozenset(examination.code))
        jobs, unreached = plan_jobs(sample_mutants(mutants), equivalents, status.baseline)
        wire.send_frame(connection, {"jobs": [job.as_request(number) for number, job in enumerate(jobs)]})
        outcomes = _outcomes(connection, jobs, files, deadline)
    except (wire.WireError, ValidationError):
        return []
    return [_passed_fact(status), *mutation_facts(status, jobs, outcomes, unreached)]


def _all_mutants(files: dict[str, str], code: Sequence[str]) -> tuple[list[Mutant], list[Mutant]]:
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


def _outcomes(
    connection: socket.socket, jobs: Sequence[MutationJob], files: dict[str, str], deadline: float
) -> dict[int, str]:
    """The first verdict on each job, by its number; jobs without one when the connection ends stay out."""
    outcomes: dict[int, str] = {}
    while len(outcomes) < len(jobs):
        try:
            verdict = MutantVerdict.model_validate(wire.receive_frame(connection, deadline))
        except wire.WireError:
            break
        if verdict.done:
            break
        if 0 <= verdict.number < len(jobs) and verdict.number not in outcomes:
            outcome = verdict.outcome
            if outcome == "broken" and _compiles(jobs[verdict.number].mutant, files):
                outcome = "survived"
            outcomes[verdict.number] = outcome
    return outcomes


def _compiles(mutant: Mutant, files: dict[str, str]) -> bool:
    content = files[mutant.path].encode("utf-8", "surrogatepass")
    text = mutant.replacement.encode("utf-8", "surrogatepass")
    try:
        compile(content[: mutant.start] + text + content[mutant.end :], mutant.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _stuck_facts(report: SuiteReport) -> tuple[Fact, ...]:
    place = report.stuck
    assert place is not None
    facts = unmeasured_facts("The tests got stuck, or ended the process that ran them.", passed=0.0)
    finding = facts[0].findings[0].model_copy(update={"path": place.path, "line": place.line or None})
    return (facts[0].model_copy(update={"findings": (finding,)}), *facts[1:])


def _passed_fact(status: SuiteStatus) -> Fact:
    findings = list(status.findings[:_MAX_FINDINGS])
    if status.unrun_count:
        findings.append(Finding(message=f"{status.unrun_count} tests were not run: the time for them was up."))
    if not status.total_count:
        words = "Every test is skipped or expected to fail." if status.skipped_count else "No test was found."
        return Fact(name="tests.passed", value=None, findings=(*findings, Finding(message=words)))
    return Fact(name="tests.passed", value=status.passed_count / status.total_count, findings=tuple(findings))
