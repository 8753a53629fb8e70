"""Asking pytest which tests a submission has, without the results of any."""

import contextlib
import time
from collections.abc import Collection

from pydantic import ValidationError

from evalforge.evidence.examination import SuiteReport, receive_report
from evalforge.evidence.static import test_files
from evalforge.model.errors import SandboxError
from evalforge.sandbox.execution import FoundSuite
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.player_test_host import SLOW_MACHINE_SECONDS, PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission

_SECONDS = 12.0


def find_suite(host: PlayerTestHost, staged: StagedSubmission) -> FoundSuite | None:
    """The tests that pytest finds in a submission on disk; None if it can't say, as where loading them hangs.

    Args:
        host: A free host for tests.
        staged: The submission.
    """
    plan = PlayerTestPlan(tests=(), code=(), seconds=_SECONDS, describes_tests=True)
    limits = RunLimits(seconds=_SECONDS, open_files=256)
    report = SuiteReport()
    for _ in range(2):  # a host that has ended is replaced, and can be asked again
        with contextlib.suppress(SandboxError):
            connection = host.start_tests(staged, plan, limits)
            with contextlib.suppress(wire.WireError, ValidationError):
                report = receive_report(connection, time.monotonic() + _SECONDS + SLOW_MACHINE_SECONDS)
            host.close_session(connection, limits, is_late=True)  # not even if the tests have begun to run
            break
    return report.suite()


def has_tests(files: Collection[str], suite: FoundSuite | None) -> bool:
    """Whether there are tests; if pytest can't say, whether some files are named like tests."""
    return bool(suite.tests or suite.broken_files) if suite else bool(test_files(files, suite))
