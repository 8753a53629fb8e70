"""Asking pytest which tests a submission has, without the results of any."""

import contextlib
from collections.abc import Collection

from evalforge.evidence.examination import SuiteConversation, SuiteReport
from evalforge.evidence.static import test_files
from evalforge.model.errors import SandboxError
from evalforge.sandbox.execution import FoundSuite
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.staging import StagedSubmission

_SECONDS = 12.0


def find_suite(host: PlayerTestHost, staged: StagedSubmission) -> FoundSuite | None:
    """The tests that pytest finds in a submission on disk; None if it can't say, as where loading them hangs."""
    plan = PlayerTestPlan(tests=(), code=(), seconds=_SECONDS, describes_tests=True)
    report: SuiteReport | None = None
    for _ in range(2):  # a host that has ended is replaced, and can be asked again
        with contextlib.suppress(SandboxError), SuiteConversation(host, staged, plan) as conversation:
            report = conversation.receive_report()
            break
    return report.suite() if report else None


def has_tests(files: Collection[str], suite: FoundSuite | None) -> bool:
    """Whether there are tests; if pytest can't say, whether some files are named like tests."""
    return bool(suite.tests or suite.broken_files) if suite else bool(test_files(files, suite))
