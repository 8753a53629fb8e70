"""The player's own tests: do they pass, and would they notice a fault in the code?

The tests run in processes that belong to the player's code, so nothing those say is believed on its word. What counts
is what can't be had without good tests: faults are planned here, in a process that runs none of that code, and go out
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

from evalforge.evidence.aside import Aside
from evalforge.evidence.examination import Report, Standing, Verdict, standing
from evalforge.evidence.hygiene import steering_files
from evalforge.evidence.mutation.candidates import candidates
from evalforge.evidence.mutation.fault import Fault
from evalforge.evidence.mutation.plan import Job, plan, sample
from evalforge.evidence.mutation.score import mutation_facts, unmeasured
from evalforge.evidence.reading import is_test_file
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import Fact, Finding
from evalforge.model.submission import Submission
from evalforge.sandbox.host import wire
from evalforge.sandbox.report import Ending, RunLimits
from evalforge.sandbox.stage import Staged
from evalforge.sandbox.testhost import Examination, TestHost

_SECONDS = 12.0
_START_SECONDS = 6.0
_CPU_SECONDS = 10
_FINDINGS_MOST = 20
_NOT_PROGRAM = frozenset({"setup.py", "noxfile.py", "conf.py"})


class PlayerTests:
    """An examination of the player's tests, under way beside whatever else is going on.

    Args:
        host: Where they run.
        staged: The submission as it is laid out.
        submission: The same, as it was handed in.
    """

    def __init__(self, host: TestHost, staged: Staged, submission: Submission) -> None:
        self._host = host
        self._limits = RunLimits(seconds=_SECONDS, open_files=256)
        files = _python_files(submission)
        tests = tuple(path for path in files if is_test_file(path) and "test" in files[path])
        self._line: socket.socket | None = None
        self._why = "" if tests else "There are no tests."
        if not tests:
            return
        code = tuple(path for path in files if not is_test_file(path) and path.rpartition("/")[2] not in _NOT_PROGRAM)
        examination = Examination(tests, code, _SECONDS)
        try:
            line = self._line = host.examine(staged, examination, self._limits)
        except SandboxError as error:
            self._why = str(error)
            return
        self._aside = Aside(
            lambda: [fact.model_dump(mode="json") for fact in _converse(line, files, examination)], _CPU_SECONDS
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Break off what nobody asked the facts of, so that the host is free for the next."""
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(SandboxError):
                self._host.close(line, self._limits, late=True)
            self._aside.result()

    def facts(self) -> tuple[Fact, ...]:
        """``tests.passed``, ``tests.mutation_score``, ``tests.mutants``, ``tests.timeouts``; waits for them. Once."""
        line, self._line = self._line, None
        if line is None:
            return unmeasured(self._why, passed=None)
        told: list[Any] | None = self._aside.result()
        try:
            report = self._host.close(line, self._limits, late=told is None)
        except SandboxError as error:
            return unmeasured(str(error), passed=None)
        if told:
            return tuple(Fact.model_validate(fact) for fact in told)
        if report.ending is Ending.HOST_LOST:
            return unmeasured("The tests could not be run here.", passed=None)
        if told is None:
            return unmeasured("Examining the tests took too long.", passed=None)
        if report.ending in (Ending.MEMORY, Ending.DISK):
            return unmeasured(f"The tests were stopped: they {report.spoiled}.", passed=0.0)
        return unmeasured("The tests brought down the process that ran them.", passed=0.0)


def _python_files(submission: Submission) -> dict[str, str]:
    left_out = steering_files(submission)
    files = {file.path: file.content for file in submission.files if file.path.endswith(".py")}
    return {path: files[path] for path in sorted(files) if path not in left_out}


def _converse(line: socket.socket, files: dict[str, str], examination: Examination) -> list[Fact]:
    """Everything that is said on the line, and what it comes to; no facts if the other side breaks off."""
    deadline = time.monotonic() + _SECONDS + _START_SECONDS
    faults, rewordings = _candidates(files, examination.code)
    try:
        report = Report.model_validate(wire.receive_frame(line, deadline))
        if report.impossible:
            return list(unmeasured(f"The tests were not run: {report.impossible}.", passed=None))
        if report.stuck:
            return list(_stuck(report))
        stands = standing(report, frozenset(examination.tests), frozenset(examination.code))
        jobs, unreached = plan(sample(faults), rewordings, stands.baseline)
        wire.send_frame(line, {"jobs": [job.as_request(number) for number, job in enumerate(jobs)]})
        outcomes = _outcomes(line, jobs, files, deadline)
    except (wire.WireError, ValidationError):
        return []
    return [_passed(stands), *mutation_facts(stands, jobs, outcomes, unreached)]


def _candidates(files: dict[str, str], code: Sequence[str]) -> tuple[list[Fault], list[Fault]]:
    faults: list[Fault] = []
    rewordings: list[Fault] = []
    for path in code:
        try:
            more, other = candidates(path, files[path])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        faults += more
        rewordings += other
    return faults, rewordings


def _outcomes(line: socket.socket, jobs: Sequence[Job], files: dict[str, str], deadline: float) -> dict[int, str]:
    """The verdict on each job, the first that is given; what is still missing when the line goes quiet stays out."""
    outcomes: dict[int, str] = {}
    while len(outcomes) < len(jobs):
        try:
            verdict = Verdict.model_validate(wire.receive_frame(line, deadline))
        except wire.WireError:
            break
        if verdict.done:
            break
        if 0 <= verdict.number < len(jobs) and verdict.number not in outcomes:
            outcome = verdict.outcome
            if outcome == "broken" and _compiles(jobs[verdict.number].fault, files):
                outcome = "survived"
            outcomes[verdict.number] = outcome
    return outcomes


def _compiles(fault: Fault, files: dict[str, str]) -> bool:
    content = files[fault.path].encode("utf-8", "surrogatepass")
    text = fault.text.encode("utf-8", "surrogatepass")
    try:
        compile(content[: fault.start] + text + content[fault.end :], fault.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _stuck(report: Report) -> tuple[Fact, ...]:
    place = report.stuck
    assert place is not None
    facts = unmeasured("The tests got stuck, or ended the process that ran them.", passed=0.0)
    finding = facts[0].findings[0].model_copy(update={"path": place.path, "line": place.line or None})
    return (facts[0].model_copy(update={"findings": (finding,)}), *facts[1:])


def _passed(stands: Standing) -> Fact:
    findings = list(stands.findings[:_FINDINGS_MOST])
    if stands.left:
        findings.append(Finding(message=f"{stands.left} tests were not run: the time for them was up."))
    if not stands.total:
        words = "Every test is skipped or expected to fail." if stands.skipped else "No test was found."
        return Fact(name="tests.passed", value=None, findings=(*findings, Finding(message=words)))
    return Fact(name="tests.passed", value=stands.passed / stands.total, findings=tuple(findings))
