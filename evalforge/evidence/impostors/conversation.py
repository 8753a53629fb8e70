"""The conversation with a host about the player's tests on one right program and on its impostors."""

import contextlib
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from evalforge.evidence.examination import (
    NOTICED,
    MutantVerdict,
    SuiteReport,
    receive_report,
    receive_verdicts,
)
from evalforge.evidence.impostors.suite_runs import SuiteOnProgram
from evalforge.evidence.mutation.mutation_plan import MutationJob
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.player_test_host import SLOW_MACHINE_SECONDS, PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission

_OPEN_FILES = 256


@dataclass(frozen=True)
class ImpostorJobs:
    """The jobs to run on one right program.

    Attributes:
        suite: The results of the tests on it.
        jobs: Its impostors, with controls among them.
        ids: The ids of impostors by job number.
        expected: The ids of impostors by job number, for jobs that check whether a test that contradicts the contract
            passes on one.
        unreached: The ids of impostors whose fault no test reaches.
    """

    suite: SuiteOnProgram
    jobs: tuple[MutationJob, ...]
    ids: Mapping[int, str]
    expected: Mapping[int, str]
    unreached: frozenset[str]


@dataclass(frozen=True)
class TestsOnProgram:
    """The results of the tests on one right program and its impostors.

    Attributes:
        suite: The results of the tests on it.
        outcomes: The results on its impostors, by id; those that were not run are missing.
        unreached: The ids of impostors whose fault no test reaches.
        expected: By test that fails on the right program, the ids of impostors on which it passes.
        has_noticed_control: Whether tests failed on an unchanged program.
    """

    suite: SuiteOnProgram
    outcomes: Mapping[str, MutantVerdict]
    unreached: frozenset[str]
    expected: Mapping[str, tuple[str, ...]]
    has_noticed_control: bool


class ProgramConversation:
    """A conversation with a host about one right program; entering it makes the host begin.

    Args:
        host: A free host.
        staged: The submission, with empty files in place of its program.
        plan: Which tests to run.

    Attributes:
        was_lost: Whether the host disconnected, or did not answer in time.

    Raises:
        SandboxError: The host has ended.
    """

    def __init__(self, host: PlayerTestHost, staged: StagedSubmission, plan: PlayerTestPlan) -> None:
        self._host = host
        self._limits = RunLimits(seconds=plan.seconds, open_files=_OPEN_FILES)
        self._deadline = time.monotonic() + plan.seconds + SLOW_MACHINE_SECONDS
        self._connection = host.start_tests(staged, plan, self._limits)
        self._is_complete = False
        self.was_lost = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Free the host, even in the middle of a run."""
        self._host.close_session(self._connection, self._limits, is_late=not self._is_complete)

    def receive_report(self) -> SuiteReport | None:
        """Receive the results on the right program; None if the host disconnects, or no test can be run."""
        try:
            report = receive_report(self._connection, self._deadline)
        except (wire.WireError, ValidationError):
            self.was_lost = True
            return None
        return None if report.impossible or report.stuck else report

    def send_jobs(self, impostor_jobs: ImpostorJobs) -> None:
        """Send all jobs; whether the host has ended only shows when verdicts are received."""
        requests = [job.as_request(number) for number, job in enumerate(impostor_jobs.jobs)]
        with contextlib.suppress(wire.WireError):
            wire.send_frame(self._connection, {"jobs": requests})

    def receive_outcomes(self, impostor_jobs: ImpostorJobs) -> TestsOnProgram:
        """Receive the results of the jobs."""
        verdicts: dict[int, MutantVerdict] = {}
        with contextlib.suppress(ValidationError):  # earlier verdicts remain valid
            for verdict in receive_verdicts(self._connection, len(impostor_jobs.jobs), self._deadline):
                verdicts[verdict.number] = verdict
            self._is_complete = True
        return _read_verdicts(impostor_jobs, verdicts)


def _read_verdicts(impostor_jobs: ImpostorJobs, verdicts: dict[int, MutantVerdict]) -> TestsOnProgram:
    """Interpret the verdicts on impostors, given those on controls."""
    controls = {verdicts[number].outcome for number in verdicts if impostor_jobs.jobs[number].is_control}
    unreached = impostor_jobs.unreached
    if "timeout" in controls:  # tests that hang on an unchanged program prove nothing by hanging
        survived = {"outcome": "survived", "test": ""}
        verdicts = {
            number: verdict.model_copy(update=survived) if verdict.outcome == "timeout" else verdict
            for number, verdict in verdicts.items()
        }
    if not impostor_jobs.suite.is_complete:  # a test that was not run might have caught an impostor
        verdicts = {number: verdict for number, verdict in verdicts.items() if verdict.outcome in NOTICED}
        unreached = frozenset[str]()
    expected = defaultdict[str, list[str]](list)
    for number, name in impostor_jobs.expected.items():
        if number in verdicts and verdicts[number].outcome == "survived":
            expected[impostor_jobs.jobs[number].tests[0]].append(name)
    return TestsOnProgram(
        suite=impostor_jobs.suite,
        outcomes={name: verdicts[number] for number, name in impostor_jobs.ids.items() if number in verdicts},
        unreached=unreached,
        expected={test: tuple(names) for test, names in expected.items()},
        has_noticed_control=not controls.isdisjoint(NOTICED),
    )
