"""What no limit on one process or one file bounds: the memory of many processes, and files without a name."""

import contextlib
import fcntl
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.model.errors import SandboxError
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.sandbox.client import Host
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.report import Ending, RunLimits, RunReport
from evalforge.sandbox.staging import StagedSubmission
from tests import factories

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc, and a cage that lets tests fork")
MB = 1024 * 1024
MAIN = Program("script", "main.py")
TESTS = """
import mmap, os, time
def test_it():
    {before}
    for _ in range(5):
        if not os.fork():
            {within}
            os._exit(0)
    for _ in range(5):
        os.wait()
"""
HOLD = "held = {memory}; [held.__setitem__(place, 1) for place in range(0, len(held), 4096)]; time.sleep(3)"
NAMELESS = """
import mmap, os, time
held = []
for number in range(24):
    descriptor = os.open("f", os.O_RDWR | os.O_CREAT)
    os.{how}
    os.unlink("f")
    held.append(mmap.mmap(descriptor, 4096))
    os.close(descriptor)
time.sleep(60)
"""
WRITES = """
import time
end = time.monotonic() + 10
while time.monotonic() < end:
    with open("f", "wb", 0) as file:
        file.write(b"x" * 2**22)
"""


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    started = Host("", "standard")
    yield started
    started.shut_down()


@pytest.fixture(scope="module")
def test_host() -> Iterator[PlayerTestHost]:
    beside = Host()
    started = PlayerTestHost(beside)
    yield started
    for one in (started, beside):
        one.shut_down()


@pytest.fixture(autouse=True)
def undisturbed_machine() -> Iterator[None]:
    """Tests that take much of the machine on purpose wait for each other: free space and memory are everybody's."""
    with (Path(tempfile.gettempdir()) / f"evalforge-tests-resources-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def examined(host: PlayerTestHost, test: str, limits: RunLimits) -> tuple[RunReport, list[object]]:
    """Test files that are examined until they are stopped, or all of them have run; with all that was said."""
    said: list[object] = []
    with StagedSubmission(Submission(files=(SubmissionFile(path="test_it.py", content=test),))) as staged:
        line = host.start_tests(staged, PlayerTestPlan(("test_it.py",), (), limits.seconds), limits)
        with contextlib.suppress(wire.WireClosedError):
            said.append(wire.receive_frame(line, time.monotonic() + 20))
        return host.close_session(line, limits, is_late=True), said


@pytest.mark.parametrize("memory", ["bytearray(100 * 2**20)", "mmap.mmap(-1, 100 * 2**20)"], ids=["private", "shared"])
def test_processes_are_stopped_for_what_they_hold_together(test_host: PlayerTestHost, memory: str) -> None:
    test = TESTS.format(before="pass", within=HOLD.format(memory=memory))
    report, _ = examined(test_host, test, RunLimits(seconds=8.0, memory_in_all_bytes=300 * MB))
    assert report.ending is Ending.MEMORY
    assert report.abnormal_end == "used more than 300 MB of memory in all its processes"


def test_memory_that_processes_share_counts_once(test_host: PlayerTestHost) -> None:
    test = TESTS.format(before="held = bytearray(b'x') * (150 * 2**20)", within="time.sleep(0.5)")
    report, said = examined(test_host, test, RunLimits(seconds=8.0, memory_in_all_bytes=850 * MB))
    assert report.ending is not Ending.MEMORY
    assert isinstance(said[0], dict)
    assert [one["outcome"] for one in said[0]["runs"][0]["tests"]] == ["passed"]


@pytest.mark.parametrize(
    "how",
    ["posix_fallocate(descriptor, 0, 16 * 2**20)", "pwrite(descriptor, b'x' * (16 * 2**20), 0)"],
    ids=["reserved", "written"],
)
def test_files_without_a_name_count(host: Host, how: str) -> None:
    with StagedSubmission(factories.submission(main=NAMELESS.format(how=how))) as staged:
        report = host.run(staged, MAIN, Call(), RunLimits(seconds=30.0))
    assert report.ending is Ending.DISK


def test_space_that_others_take_is_not_laid_at_its_door(host: Host) -> None:
    """One who writes as well may be stopped for it, but is not blamed; who does not is not even stopped."""
    outcomes: list[object] = []
    for code in ("import time; time.sleep(1.2)", WRITES):
        with tempfile.TemporaryFile() as file, StagedSubmission(factories.submission(main=code)) as staged:
            timer = threading.Timer(0.5, os.posix_fallocate, (file.fileno(), 0, 300 * MB))
            timer.start()
            try:
                outcomes.append(host.run(staged, MAIN, Call(), RunLimits(seconds=30.0)).ending)
            except SandboxError as error:
                outcomes.append(error.message)
            timer.join()
    assert outcomes == [Ending.EXIT, "Another program filled the disk while the player's code ran."]
