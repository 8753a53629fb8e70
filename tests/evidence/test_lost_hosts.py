"""A host that ended and can't be started again says why, each time that it is asked."""

import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.evidence.suite.conversation import SuiteConversation
from evalforge.evidence.suite.run import Suite, find_suite
from evalforge.model.errors import SandboxError
from evalforge.model.submission import Submission
from evalforge.sandbox.client import Host
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.staging import StagedSubmission

FILES = {"tally.py": "print(1)\n", "test_tally.py": "def test_it(): assert True\n"}
REASON = r"does not start as a Python .* No such file"


@pytest.fixture
def lost_hosts(tmp_path: Path) -> Iterator[tuple[Host, PlayerTestHost]]:
    """A host for programs and one for tests, which were killed after their interpreter was removed."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    with contextlib.ExitStack() as stack:
        host = Host(str(python))
        stack.callback(host.shut_down)
        test_host = PlayerTestHost(host)
        stack.callback(test_host.shut_down)
        python.unlink()
        for lost_host in (host, test_host):
            os.kill(lost_host.pid, signal.SIGKILL)
        yield host, test_host


def test_each_run_on_a_lost_host_says_why(lost_hosts: tuple[Host, PlayerTestHost]) -> None:
    host, _ = lost_hosts
    with StagedSubmission(Submission.of(FILES)) as staged:
        for _ in range(2):
            with pytest.raises(SandboxError, match=REASON):
                host.run(staged, Program("script", "tally.py"), Call())
        with pytest.raises(SandboxError, match=REASON):
            host.execution(staged)


def test_each_conversation_on_a_lost_host_says_why(lost_hosts: tuple[Host, PlayerTestHost]) -> None:
    _, test_host = lost_hosts
    assert find_suite(Suite([test_host], Submission.of(FILES))).contents is None
    with StagedSubmission(Submission.of(FILES)) as staged, pytest.raises(SandboxError, match=REASON):
        SuiteConversation(test_host, staged, PlayerTestPlan(("test_tally.py",), ("tally.py",), 1.0))
    with pytest.raises(SandboxError, match="No such file"):
        test_host.wait_until_warm()
