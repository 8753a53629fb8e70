"""Conversations with a host about the player's tests, and the messages that it sends."""

import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Annotated, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from evalforge.evidence.suite.jobs import Job
from evalforge.sandbox.execution import FoundSuite, FoundTest
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.player_test_host import SLOW_MACHINE_SECONDS, PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import Ending, RunLimits, RunReport
from evalforge.sandbox.staging import StagedSubmission

_MAX_TESTS = 5000
_OPEN_FILES = 256
_Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Lines = dict[str, list[int]]
_Item = TypeVar("_Item")
_Items = Annotated[list[_Item], AfterValidator(lambda items: items[:_MAX_TESTS])]


class _HostMessage(BaseModel):
    """Base of all messages from the host, which may send anything; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


_Message = TypeVar("_Message", bound=_HostMessage)


class BrokenFile(_HostMessage):
    """A test file that can't be loaded.

    Attributes:
        file: The file.
        message: Why, in pytest's words.
        refused: What the sandbox refused meanwhile; empty if nothing.
        path: The file of the player's innermost line in the traceback.
        line: That line.
    """

    file: str
    message: str
    refused: str = ""
    path: str = ""
    line: int = 0


class PlayerTestRun(_HostMessage):
    """One run of one test.

    Attributes:
        outcome: ``refused`` if it failed and needs what the sandbox refuses; ``message`` says what.
        reach: The lines that it ran, by file.
        xfail: Whether it is marked as a test that must fail.
        may_fail: Whether it is marked so that it may fail or pass, and so proves nothing.
        inner: Whether it used, on another program, a name that only the player's program has.
        looked: Whether it looked at code instead of behaviour.
        late: Whether it exceeded the time limit of a test.
        checked: Whether it failed by a check of its own, rather than by a crash.
    """

    name: str
    outcome: Literal["passed", "failed", "skipped", "expected", "refused"]
    seconds: _Seconds
    reach: _Lines = {}
    message: str = ""
    path: str = ""
    line: int = 0
    xfail: bool = False
    may_fail: bool = False
    inner: bool = False
    looked: bool = False
    late: bool = False
    checked: bool = False


class LoadedSuite(_HostMessage):
    """The loaded tests; ``imported`` has the lines run on import, by file, ``looked`` whether they looked at code."""

    seconds: _Seconds
    items: tuple[FoundTest, ...] = ()
    unknown_options: tuple[str, ...] = ()
    imported: _Lines = {}
    looked: bool = False
    broken: _Items[BrokenFile] = []


class SuiteRun(_HostMessage):
    """One run of all tests.

    Attributes:
        tests: The result of each test.
        left: The names of tests that were not run for lack of time.
        dropped: The results of tests that the player's hooks leave out.
    """

    tests: _Items[PlayerTestRun] = []
    left: list[str] = []
    dropped: _Items[PlayerTestRun] = []


class CodePlace(_HostMessage):
    """A place in the player's code: file and line."""

    path: str
    line: int


class SuiteReport(_HostMessage):
    """A host's message before any job: why the tests can't run, where loading hung, which there are, or their results.

    The tests have a message of their own if the plan asks for it.
    """

    impossible: str = ""
    stuck: CodePlace | None = None
    loaded: LoadedSuite | None = None
    runs: list[SuiteRun] = []

    def suite(self) -> FoundSuite | None:
        """The tests that pytest finds; None if it can't say, as where loading them hangs."""
        loaded = self.loaded
        if loaded is None or (loaded.broken and not loaded.items):
            return None
        broken_files = tuple(broken.file for broken in loaded.broken if broken.file.endswith(".py"))
        return FoundSuite(loaded.items, broken_files, loaded.unknown_options)

    @property
    def is_preliminary(self) -> bool:
        """Whether it only says which tests there are, and another one follows."""
        return self.loaded is not None and not self.runs

    @property
    def results_by_run(self) -> list[dict[str, PlayerTestRun]]:
        """The results of each run, by the test's name."""
        return [{ran.name: ran for ran in run.tests} for run in self.runs]

    @property
    def unrun_count(self) -> int:
        """How many tests were not run for lack of time."""
        return len(self.runs[0].left) if self.runs else 0


class Verdict(_HostMessage):
    """The result of the tests on one job, and the test that failed; the last message has ``done`` and no number.

    A test noticed the change by a check of its own (``killed``), or by a crash.
    """

    number: int = -1
    outcome: Literal["killed", "crashed", "survived", "timeout", "broken", "looked", "lost", ""] = ""
    test: str = ""
    done: bool = False


class SuiteConversation:
    """A conversation with a host about the tests of a submission; leaving it frees the host, even in a run.

    Attributes:
        is_cut_off: Whether the host disconnected, sent nothing in time or something invalid.
        end: How the host's process for the tests ended, once the conversation is over.

    Raises:
        SandboxError: The host had ended, and another was started.
    """

    def __init__(self, host: PlayerTestHost, staged: StagedSubmission, plan: PlayerTestPlan) -> None:
        self._host = host
        self._limits = RunLimits(seconds=plan.seconds, open_files=_OPEN_FILES)
        self._connection = host.start_tests(staged, plan, self._limits)
        self._deadline = time.monotonic() + plan.seconds + SLOW_MACHINE_SECONDS
        self._is_busy = True
        self.is_cut_off = False
        self.end = RunReport(Ending.HOST_LOST, limits=self._limits)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end = self._host.close_session(self._connection, self._limits, is_late=self._is_busy)

    @property
    def was_lost(self) -> bool:
        """Whether the host was lost, or did not answer in time, once the conversation is over."""
        return self.end.ending is Ending.HOST_LOST or (self.is_cut_off and self._is_busy)

    def receive_report(self) -> SuiteReport | None:
        """Receive a report; None if the conversation is cut off."""
        report = self._receive(SuiteReport)
        self._is_busy = self._is_busy and (report is None or report.is_preliminary)
        return report

    def send_jobs(self, jobs: Sequence[Job]) -> None:
        """Send all jobs, whose verdicts can then be received."""
        try:
            wire.send_frame(self._connection, {"jobs": [job.as_request(number) for number, job in enumerate(jobs)]})
            self._is_busy = True
        except wire.WireError:
            self.is_cut_off = True

    def receive_verdicts(self, job_count: int) -> Iterator[Verdict]:
        """Yield the first verdict on each job as it arrives, until all have or the conversation is cut off."""
        seen_ids: set[int] = set()
        while len(seen_ids) < job_count and (verdict := self._receive(Verdict)) and not verdict.done:
            if 0 <= verdict.number < job_count and verdict.number not in seen_ids:
                seen_ids.add(verdict.number)
                yield verdict
        self._is_busy = self._is_busy and self.is_cut_off

    def _receive(self, kind: type[_Message]) -> _Message | None:
        try:
            return kind.model_validate(wire.receive_frame(self._connection, self._deadline))
        except (wire.WireError, ValidationError) as error:
            self.is_cut_off = True
            self._is_busy = isinstance(error, wire.WireTimeoutError)
            return None
