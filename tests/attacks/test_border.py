"""What keeps one submission's failure from becoming another's, and ours from becoming a player's."""

from __future__ import annotations

import json
import select
from collections.abc import Iterator

import pytest

from evalforge.model.errors import SandboxError
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.model.text import UNSAFE
from evalforge.sandbox.client import Host
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission
from tests.attacks.attack import HERE, SUBMISSIONS
from tests.command_line import run

ECHO = "import sys\nprint(*sys.argv[1:])\n"
PROGRAM = Program("script", "echo.py")


@pytest.fixture
def staged() -> Iterator[StagedSubmission]:
    with StagedSubmission(Submission(files=(SubmissionFile(path="echo.py", content=ECHO),))) as staged:
        yield staged


def test_a_run_that_could_not_be_caged_is_not_the_players_fault(staged: StagedSubmission) -> None:
    host = Host(layer="no such layer")
    try:
        with pytest.raises(SandboxError, match=r"could not be put into the sandbox: .*no such layer'?\.$"):
            host.run(staged, PROGRAM, Call())
    finally:
        host.shut_down()


def test_a_late_reply_is_never_taken_for_that_of_another_run(staged: StagedSubmission) -> None:
    host = Host()
    try:
        forgotten = host._request("script", staged, PROGRAM.as_entry(), Call(args=("first",)), RunLimits())
        host._send(forgotten)
        assert select.select([host._connection], [], [], 10)[0], "it has come, and nobody takes it"
        assert host.run(staged, PROGRAM, Call(args=("second",))).stdout == "second\n"
    finally:
        host.shut_down()


def test_an_abandoned_host_ends_though_its_line_is_held() -> None:
    host = Host()
    process, held = host._process, host._connection.dup()
    host.start()
    assert process is not None
    assert not process.is_alive
    held.close()
    host.shut_down()


@pytest.mark.parametrize("name", ["forging/control-characters", "forging/names-with-control-characters"])
@pytest.mark.parametrize("form", ["--json", "--plain"])
def test_the_command_line_prints_nothing_that_steers_a_terminal(name: str, form: str, warm_engine: None) -> None:
    ended = run("judge", HERE / "boss", SUBMISSIONS / name, "--no-save", form)
    assert ended.returncode == 1, ended.stderr
    assert not UNSAFE.search(ended.stdout + ended.stderr)
    if form == "--json":
        assert json.loads(ended.stdout)["passed"] is False
