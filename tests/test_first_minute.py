"""The README's first block, typed in a fresh checkout by somebody who has nothing but Python and make."""

import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PATIENCE = 300
FIRST_BLOCK = re.search(r"```sh\n(.*?)```", (REPOSITORY / "README.md").read_text("utf-8"), re.DOTALL)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of every file of the repository, and of nothing that was made in it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout
    names = [
        name for name in listed.split("\0") if name and not name.startswith("tests/") and (REPOSITORY / name).exists()
    ]
    for name in names:
        target = tmp_path / "evalforge" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPOSITORY / name, target)
    return tmp_path / "evalforge"


def read_available(end: int) -> bytes:
    return os.read(end, 65536) if select.select([end], [], [], 1)[0] else b""


def shown_at_a_terminal(words: list[str], folder: Path, awaited: bytes, environment: dict[str, str]) -> bytes:
    """What a command writes to a terminal of 80x24 until it shows some words; it is ended then."""
    end, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    written = b""
    deadline = time.monotonic() + PATIENCE
    with subprocess.Popen(
        words, cwd=folder, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, start_new_session=True
    ) as process:
        os.close(terminal)
        with contextlib.suppress(OSError):  # the last process has closed its end
            while awaited not in written and time.monotonic() < deadline:
                written += read_available(end)
            os.write(end, b"\x11")  # ctrl+q
            while time.monotonic() < deadline:
                written += read_available(end)
        assert process.wait(timeout=PATIENCE) == 0, written[-2000:]
    os.close(end)
    return written


def test_the_first_block_of_the_readme_opens_the_game(checkout: Path, tmp_path: Path) -> None:
    assert FIRST_BLOCK
    play, test = FIRST_BLOCK[1].splitlines()
    home = {"HOME": str(tmp_path), "EVALFORGE_HOME": str(tmp_path / "home"), "TERM": "xterm-256color"}
    environment = {
        name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")
    } | home
    assert b"Training Dummy" in shown_at_a_terminal(play.split(), checkout, b"Training Dummy", environment)
    assert not (checkout / ".venv" / "bin" / "ruff").exists()  # only who runs the tests needs the tools
    plan = subprocess.run(
        [*test.split(), "--dry-run"], cwd=checkout, env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert "pytest -m fast" in plan
