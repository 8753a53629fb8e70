"""An interpreter of the player's that is none, or not one we can use: it is told at once, and nothing of it stays."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evalforge.model.errors import SandboxError
from evalforge.sandbox.client import Host
from tests.processes import below, left_below

NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
Make = Callable[[str], str]

SAYS = f"""#!{sys.executable}
import socket, struct, sys, time
line = socket.socket(fileno=next(int(word) for word in sys.argv if word.isdigit()))
body = {{body!r}}
line.sendall(struct.pack(">I", len(body)) + body)
time.sleep(6000)
"""


@pytest.fixture
def python(tmp_path: Path) -> Make:
    """Makes an interpreter of a script."""

    def make(script: str) -> str:
        path = tmp_path / "python"
        path.write_text(script)
        path.chmod(0o755)
        return str(path)

    return make


@NEEDS_PROC
@pytest.mark.parametrize(
    ("script", "why"),
    [
        (SAYS.format(body=b"5"), "its answer isn't one our program gives"),
        (SAYS.format(body=b'{"version":"x","probe":7}'), "its answer isn't one our program gives"),
        (SAYS.format(body=b"no JSON"), "its answer isn't one our program gives"),
        ("#!/bin/sh\nsleep 6000 &\nexit 3\n", "it ended without an answer"),
        ("#!/bin/sh\necho 'Too old.' >&2\nsleep 6000 &\nexit 3\n", "Too old"),
        ("#!/bin/sh\n", "it ended without an answer"),
    ],
)
def test_one_that_is_no_python_of_ours_is_told_and_ended(python: Make, script: str, why: str) -> None:
    path, known = python(script), below(os.getpid())
    with pytest.raises(SandboxError) as told:
        Host(path)
    assert told.value.message == f"{path} does not start as a Python that the player's code can run in: {why}."
    assert "--python" in told.value.hint
    assert not left_below(os.getpid(), but=known)


def test_one_that_may_not_be_executed_is_told(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("")
    with pytest.raises(SandboxError, match=r"does not start as a Python .* Permission denied"):
        Host(str(tmp_path / "python"))


@NEEDS_PROC
def test_one_whose_start_is_broken_off_is_ended(python: Make) -> None:
    path, known, started = python("#!/bin/sh\nsleep 60\n"), below(os.getpid()), list[int]()

    def leave(pid: int) -> None:
        started.append(pid)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Host(path, on_start=leave)
    assert started
    assert not left_below(os.getpid(), but=known)
