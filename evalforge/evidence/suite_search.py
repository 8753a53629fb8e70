"""Asking pytest which tests a submission has, before any of them runs."""

import contextlib
import socket
import time
from collections.abc import Collection

from pydantic import ValidationError

from evalforge.evidence.examination import SuiteReport
from evalforge.evidence.static import is_test_file
from evalforge.model.errors import SandboxError
from evalforge.sandbox.execution import FoundSuite
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.player_test_host import SLOW_MACHINE_SECONDS, PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission

_SECONDS = 12.0


class SuiteSearch:
    """A search for the tests of a submission, which goes on while others work.

    Args:
        host: A free host for tests.
        staged: The submission on disk.
    """

    def __init__(self, host: PlayerTestHost, staged: StagedSubmission) -> None:
        self._host = host
        self._limits = RunLimits(seconds=_SECONDS, open_files=256)
        plan = PlayerTestPlan(tests=(), code=(), seconds=_SECONDS, only_finds=True)
        self._connection: socket.socket | None = None
        for _ in range(2):  # a host that ended is replaced by the first call
            with contextlib.suppress(SandboxError):
                self._connection = host.start_tests(staged, plan, self._limits)
                break

    def result(self) -> FoundSuite | None:
        """The tests that pytest finds; None if it can't say, as where loading them hangs. Call this once."""
        if self._connection is None:
            return None
        report, is_late = SuiteReport(), False
        try:
            deadline = time.monotonic() + _SECONDS + SLOW_MACHINE_SECONDS
            report = SuiteReport.model_validate(wire.receive_frame(self._connection, deadline))
        except wire.WireTimeoutError:
            is_late = True
        except (wire.WireError, ValidationError):
            pass
        self._host.close_session(self._connection, self._limits, is_late=is_late)
        loaded = report.loaded
        if loaded is None or (loaded.broken and not loaded.found):
            return None
        broken_files = tuple(broken.file for broken in loaded.broken if broken.file.endswith(".py"))
        return FoundSuite(loaded.found, broken_files, loaded.unknown_options)


def test_files(files: Collection[str], suite: FoundSuite | None) -> tuple[str, ...]:
    """Those of some Python files that belong to the tests: because they hold some, or by their names."""
    found = suite.files if suite else frozenset[str]()
    return tuple(path for path in files if path in found or is_test_file(path))


def has_tests(files: Collection[str], suite: FoundSuite | None) -> bool:
    """Whether there are tests; if pytest can't say, whether some files are named like tests."""
    return bool(suite.tests or suite.broken_files) if suite else bool(test_files(files, suite))
