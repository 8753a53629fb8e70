"""Asking pytest which tests a submission has, before any of them runs."""

import contextlib
import time
from collections.abc import Collection

from pydantic import ValidationError

from evalforge.evidence.examination import SuiteReport
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
    plan = PlayerTestPlan(tests=(), code=(), seconds=_SECONDS, only_finds=True)
    limits = RunLimits(seconds=_SECONDS, open_files=256)
    report, is_late = SuiteReport(), False
    for _ in range(2):  # a host that has ended is replaced, and can be asked again
        with contextlib.suppress(SandboxError):
            connection = host.start_tests(staged, plan, limits)
            try:
                deadline = time.monotonic() + _SECONDS + SLOW_MACHINE_SECONDS
                report = SuiteReport.model_validate(wire.receive_frame(connection, deadline))
            except wire.WireTimeoutError:
                is_late = True
            except (wire.WireError, ValidationError):
                pass
            host.close_session(connection, limits, is_late=is_late)
            break
    loaded = report.loaded
    if loaded is None or (loaded.broken and not loaded.items):
        return None
    broken_files = tuple(broken.file for broken in loaded.broken if broken.file.endswith(".py"))
    return FoundSuite(loaded.items, broken_files, loaded.unknown_options)


def has_tests(files: Collection[str], suite: FoundSuite | None) -> bool:
    """Whether there are tests; if pytest can't say, whether some files are named like tests."""
    return bool(suite.tests or suite.broken_files) if suite else bool(test_files(files, suite))
