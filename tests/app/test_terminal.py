"""In a real terminal: start, fight, resize, quit; and the terminal is as it was before."""

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.processes import below

pytestmark = [
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux"),
    # A terminal of its own wants a turn of its own: `make tier TIER=terminal`.
    pytest.mark.skipif("PYTEST_XDIST_WORKER" in os.environ, reason="runs alone, see the Makefile"),
]
_LIMIT = 60.0


class Terminal:
    """A pane of a tmux server of this test alone."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._socket = f"evalforge-{uuid.uuid4().hex[:12]}"
        kept = {key: value for key, value in os.environ.items() if key not in ("TMUX", "PYTHONDONTWRITEBYTECODE")}
        self._environment = {
            **kept, "EVALFORGE_HOME": str(home), "EVALFORGE_FOLDER": str(folder), "LC_ALL": "C.UTF-8",
            "EVALFORGE_JUDGE": "forge",
        }  # fmt: skip
        self._run("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", str(folder), "sh")
        self.until(lambda: self.screen().strip(), "a prompt")

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, *arguments],
            env=self._environment, capture_output=True, text=True, timeout=30, check=True,
        )  # fmt: skip
        return done.stdout

    def type(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def screen(self) -> str:
        return self._run("capture-pane", "-p")

    def ask(self, what: str) -> str:
        return self._run("display-message", "-p", what).strip()

    def resize(self, width: int, height: int) -> None:
        self._run("resize-window", "-x", str(width), "-y", str(height))

    def resize_until(self, width: int, height: int, word: str) -> None:
        """Resize, and once more if a busy machine swallowed the news of it."""
        end = time.monotonic() + _LIMIT
        while word not in self.screen():
            if time.monotonic() > end:
                raise AssertionError(f"{word!r} never showed at {width}x{height}\n{self.screen()}")
            self.resize(width + 1, height)
            self.resize(width, height)
            with contextlib.suppress(AssertionError):
                self.until(lambda: word in self.screen(), word, 5.0)

    def start(self, *arguments: str) -> None:
        words = " ".join([sys.executable, "-m", "evalforge", *arguments])
        self.type(f"PYTHONPATH={REPOSITORY} {words}; echo left with $?", "Enter")

    def until(self, holds: Callable[[], object], what: str, limit: float = _LIMIT) -> None:
        end = time.monotonic() + limit
        while not holds():
            if time.monotonic() > end:
                raise AssertionError(f"it never came to this: {what}\n{self.screen()}")
            time.sleep(0.05)

    def shows(self, *words: str) -> None:
        self.until(lambda: all(word in self.screen() for word in words), " and ".join(words))

    def processes(self) -> list[str]:
        """What still runs below the pane's shell, as command lines."""
        return [line for line in _tree(int(self.ask("#{pane_pid}"))) if line]

    def close(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self._run("kill-server")
        sockets = Path(os.environ.get("TMUX_TMPDIR", "/tmp")) / f"tmux-{os.getuid()}"
        (sockets / self._socket).unlink(missing_ok=True)


def _tree(root: int) -> list[str]:
    found = []
    for pid in below(root):
        with contextlib.suppress(OSError):
            found.append(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return found


def evalforges(home: Path) -> list[str]:
    """Processes anywhere on the machine that carry this test's home in their environment."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"EVALFORGE_HOME={home}".encode() in (entry / "environ").read_bytes():
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if "evalforge" in command and "tmux" not in command and command.split()[:1] != ["sh"]:
                    found.append(command)
    return found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return tmp_path


@pytest.fixture
def terminal(place: Path) -> Iterator[Terminal]:
    opened = Terminal(place / "home", place / "work")
    yield opened
    opened.close()


def solution(place: Path, boss: str, strength: str) -> Path:
    folder = place / "work" / "mine"
    shutil.copytree(REPOSITORY / "bosses" / boss / "exemplars" / strength, folder)
    (folder / "gold.yaml").unlink(missing_ok=True)
    return folder


def restored(terminal: Terminal, status: int = 0) -> None:
    """The shell is back, on its own screen, with cursor and echo."""
    terminal.shows(f"left with {status}")
    assert terminal.ask("#{alternate_on}") == "0"
    assert terminal.ask("#{cursor_flag}") == "1"
    assert terminal.ask("#{mouse_any_flag}") == "0"
    terminal.type("echo still he''re", "Enter")
    terminal.shows("still here")


def test_from_the_welcome_through_the_first_fight_and_out(terminal, place):
    terminal.start("--motion", "none")
    terminal.shows("make the folder")
    terminal.type("Enter")
    terminal.shows("Will be judged", "sandbox")
    assert (place / "work" / "training-dummy").is_dir()
    terminal.type("Enter")
    terminal.shows("starter, unchanged")
    terminal.type("y")
    terminal.shows("flawless", "Do next", "again")
    terminal.resize(120, 40)
    terminal.shows("Do next", "evidence")
    terminal.resize_until(50, 14, "Too small")
    terminal.resize_until(80, 24, "Do next")
    terminal.type("Down", "Enter")
    terminal.shows("next level", "hints")
    terminal.type("C-q")
    restored(terminal)
    terminal.start("--motion", "none")
    terminal.shows("continues with", "Training Dummy")
    terminal.type("C-q")
    terminal.until(
        lambda: terminal.screen().count("left with 0") >= 1 and terminal.ask("#{alternate_on}") == "0", "out"
    )
    terminal.until(lambda: not evalforges(place / "home"), "nothing is left running")


def editor(place: Path, *edit: str) -> Path:
    """An editor that says what it was given, waits for Enter, and edits as told."""
    program = place / "vi"  # a name whose way of taking a line is known
    told = " ".join(shlex.quote(word) for word in edit) or "true"
    program.write_text(f'#!/bin/sh\necho "editing $1 $(basename "$2")"\nread answer\n{told} "$2"\n', "utf-8")
    program.chmod(0o755)
    return program


def into_the_fight(terminal: Terminal, place: Path, strength: str) -> None:
    """From the shell to a fight against the Furnace Controller, with an editor at hand."""
    folder = solution(place, "furnace-controller", strength)
    (place / "home" / "welcomed").touch()
    terminal.type(f"export VISUAL={editor(place)}", "Enter")
    terminal.start("--motion", "none")
    terminal.shows("Furnace Controller")
    terminal.shows("of", "defeated")
    terminal.type("/")
    terminal.shows("name, realm or text")
    terminal.type("furnace")
    terminal.until(lambda: "Data Crucible" not in terminal.screen(), "only the furnace")
    terminal.type("Enter")
    terminal.until(lambda: "fight" in terminal.screen().splitlines()[-1], "the list again")
    terminal.type("Enter")
    terminal.shows("Folder")
    terminal.type(str(folder))
    terminal.shows("Will be judged", "sandbox")
    terminal.type("Enter")


def test_quitting_mid_fight_is_quick_and_leaves_nothing_running(terminal, place):
    into_the_fight(terminal, place, "solid")
    terminal.shows("trials")
    assert evalforges(place / "home")
    terminal.type("C-c")
    terminal.shows("ctrl+q")
    assert evalforges(place / "home"), "Ctrl+C by itself, meant for copying, ends nothing"
    terminal.type("C-q")
    terminal.shows("left with 0")
    restored(terminal)
    terminal.until(lambda: not evalforges(place / "home"), "host and cage are gone")


def test_an_editor_is_lent_the_terminal_and_gives_it_back(terminal, place):
    into_the_fight(terminal, place, "solid")
    terminal.shows("flawless", "again")
    terminal.type(*("Down",) * 3, "Enter")
    terminal.shows("guarded", "edit")
    terminal.type("e")
    terminal.shows("editing +", "readings_file.py")
    assert terminal.ask("#{alternate_on}") == "0", "the game is out of the way"
    terminal.type("Enter")
    terminal.shows("guarded", "edit")
    assert terminal.ask("#{alternate_on}") == "1"
    terminal.type("C-q")
    restored(terminal)


def test_a_rubric_is_changed_in_an_editor_and_the_verdicts_move(terminal, place):
    (place / "home" / "welcomed").touch()
    lower = editor(place, "sed", "-i", "s/pass_threshold: 5/pass_threshold: 3/")
    terminal.resize(140, 45)
    terminal.type(f"export VISUAL={lower}", "Enter")
    terminal.start("--motion", "none", "lab", "training-dummy")
    terminal.shows("7/7", "borderline")
    terminal.type("C-o")
    terminal.shows("editing +1", "rubric.yaml")
    terminal.type("Enter")
    terminal.shows("borderline → pass")
    terminal.type("C-q")
    restored(terminal)


def test_names_of_files_never_reach_the_terminal_as_commands(terminal, place):
    folder = place / "work" / "mine"
    folder.mkdir()
    (folder / "a\x1b]0;PWNED\x07.py").write_text("x = 1\n", "utf-8")
    (folder / "main.py").write_text("x = '\x1b]0;PWNED\x07'\n", "utf-8")
    (place / "home" / "welcomed").touch()
    before = terminal.ask("#{pane_title}")
    terminal.start("--motion", "none")
    terminal.shows("Training Dummy")
    terminal.type("Enter")
    terminal.shows("Folder")
    terminal.type(str(folder))
    terminal.shows("Will be judged", "main.py", "PWNED")
    assert "PWNED" not in terminal.ask("#{pane_title}")
    terminal.type("C-q")
    restored(terminal)
    assert terminal.ask("#{pane_title}") == before
