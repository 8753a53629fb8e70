"""The game ended from outside: by ``kill``, by a machine that goes down, by a terminal that is closed."""

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.history.store import History
from evalforge.model.attempt import AttemptState
from evalforge.packs.boss_marker import MARKER, marker_text
from evalforge.packs.locations import HISTORY
from tests.conftest import REPOSITORY

PATIENCE = 60.0


class Played:
    """The game in a terminal of its own."""

    def __init__(self, home: Path, folder: Path) -> None:
        home.mkdir()
        (home / "welcomed").touch()
        self._end, self.terminal = pty.openpty()
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.settings = termios.tcgetattr(self.terminal)
        self.shown = b""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "evalforge", "--motion", "none"],
            **dict.fromkeys(("stdin", "stdout", "stderr"), self.terminal),
            start_new_session=True,
            cwd=folder,
            env={
                **os.environ, "PYTHONPATH": str(REPOSITORY), "EVALFORGE_HOME": str(home), "EVALFORGE_JUDGE": "forge",
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
            },
        )  # fmt: skip

    def until(self, word: bytes) -> None:
        """Read until a word was shown; what came before it is forgotten."""
        end = time.monotonic() + PATIENCE
        while word not in self.shown:
            assert time.monotonic() < end, self.shown
            self._read()
        self.shown = self.shown.partition(word)[2]

    def _read(self) -> None:
        if select.select([self._end], [], [], 0.05)[0]:
            self.shown += os.read(self._end, 65_536)

    def press(self, keys: bytes) -> None:
        """Type keys."""
        os.write(self._end, keys)

    def end(self, number: int) -> int:
        """Send a signal, and return the exit status."""
        self.process.send_signal(number)
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end
            self._read()
        while select.select([self._end], [], [], 0)[0]:
            self._read()
        return self.process.returncode

    def hang_up(self) -> int:
        """Close the terminal, which sends SIGHUP, and return the exit status."""
        os.close(self._end)
        self._end = -1
        self.process.send_signal(signal.SIGHUP)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        for descriptor in {self._end, self.terminal} - {-1}:
            os.close(descriptor)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    game = Played(tmp_path / "home", tmp_path)
    yield game
    game.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("word", [b"\x1b[?1049h", b"help"], ids=["before the first screen", "on the roster"])
def test_a_signal_gives_the_terminal_back(played: Played, number: int, word: bytes) -> None:
    played.until(word)
    assert played.end(number) == 128 + number
    for mode in (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?2004l"):
        assert mode in played.shown
    assert b"Traceback" not in played.shown
    assert termios.tcgetattr(played.terminal) == played.settings


def test_a_terminal_that_is_closed_ends_the_game(played: Played) -> None:
    played.until(b"help")
    assert played.hang_up() > 0


def test_a_fight_that_a_signal_ends_is_interrupted(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(REPOSITORY / "bosses" / "furnace-controller" / "exemplars" / "solid", folder)
    (folder / MARKER).write_text(marker_text("furnace-controller"), "utf-8")
    game = Played(tmp_path / "home", folder)
    try:
        game.until(b"Will be judged")
        game.press(b"\r")
        game.until(b"trials")
        assert game.end(signal.SIGTERM) == 128 + signal.SIGTERM
    finally:
        game.close()
    with History(tmp_path / "home" / HISTORY) as history:
        assert [row.state for row in history.page()] == [AttemptState.INTERRUPTED]
