"""A test that takes its worker along costs its own mutant, and no other."""

import signal
import sys
import time

import pytest

from evalforge.model.submission import Submission, SubmissionFile
from evalforge.sandbox.client import Host
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission

CODE = "def a(): return 1\ndef b(): return 2\ndef c(): return 3\n"
TESTS = f"""
import os, m
def test_a():
    if m.a() != 1: os.kill(os.getppid(), {int(signal.SIGKILL)})
def test_b(): assert m.b() == 2
"""
FILES = (SubmissionFile(path="m.py", content=CODE), SubmissionFile(path="test_m.py", content=TESTS))


def job(number: int, old: str, test: str) -> dict[str, object]:
    """A mutant that returns 9, and the test to run on it."""
    start = CODE.index(old) + len("return ")
    return {
        "number": number,
        "changes": [{"path": "m.py", "edits": [[start, start + 1, "9"]]}],
        "live": True,
        "tests": [f"test_m.py::{test}"],
        "seconds": 2.0,
        "cpu": 2.0,
    }


@pytest.mark.skipif(sys.platform != "linux", reason="needs a cage in which tests may signal each other")
def test_outcomes_stay_with_their_mutants_when_a_worker_is_lost() -> None:
    host = Host()
    test_host, limits = PlayerTestHost(host), RunLimits(seconds=12.0, open_files=256)
    try:
        if test_host.layer != "full":
            pytest.skip("elsewhere a test can't kill its worker")
        with StagedSubmission(Submission(files=FILES)) as staged:
            connection = test_host.start_tests(staged, PlayerTestPlan(("test_m.py",), ("m.py",), 10.0), limits)
            deadline = time.monotonic() + 20
            wire.receive_frame(connection, deadline)
            jobs = [job(0, "return 1", "test_a"), job(1, "return 2", "test_b"), job(2, "return 3", "test_b")]
            wire.send_frame(connection, {"jobs": [*jobs, job(3, "return 2", "test_b")]})
            outcomes: dict[object, object] = {}
            while len(outcomes) < 4:
                answer = wire.receive_frame(connection, deadline)
                assert isinstance(answer, dict)
                outcomes[answer["number"]] = answer["outcome"]
            test_host.close_session(connection, limits)
    finally:
        test_host.shut_down()
        host.shut_down()
    assert outcomes == {0: "lost", 1: "killed", 2: "survived", 3: "killed"}
