"""A question on a terminal: an untouched starter is judged and recorded only if that is meant."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import REPOSITORY

PATIENCE = 120


def judge_at_a_terminal(folder: Path | None, home: Path, answer: bytes) -> subprocess.CompletedProcess[bytes]:
    """Judge with a person at the terminal, and standard output in a pipe."""
    end, terminal = pty.openpty()
    try:
        os.write(end, answer)
        return subprocess.run(
            [sys.executable, "-m", "evalforge", "judge", "training-dummy", *filter(None, [folder]), "--json"],
            stdin=terminal,
            stderr=terminal,
            stdout=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "EVALFORGE_HOME": str(home)},
        )
    finally:
        os.close(terminal)
        os.close(end)


@pytest.mark.parametrize(
    ("answer", "status", "attempts"), [(b"n\n", 2, 0), (b"\n", 2, 0), (b"\x04", 2, 0), (b"y\n", 1, 1)]
)
def test_an_untouched_starter_is_asked_about(tmp_path: Path, answer: bytes, status: int, attempts: int) -> None:
    run("new", "training-dummy", tmp_path / "mine")
    ended = judge_at_a_terminal(tmp_path / "mine", tmp_path / "home", answer)
    assert ended.returncode == status
    assert bool(ended.stdout) is bool(attempts)
    kept = json.loads(run("attempts", "--json", EVALFORGE_HOME=str(tmp_path / "home")).stdout)
    assert len(kept) == attempts


def test_a_changed_starter_is_judged_without_a_question(tmp_path: Path) -> None:
    run("new", "training-dummy", tmp_path / "mine")
    source = tmp_path / "mine" / "dummy.py"
    source.write_text(source.read_text("utf-8") + "# mine\n", "utf-8")
    assert judge_at_a_terminal(tmp_path / "mine", tmp_path / "home", b"n\n").returncode == 1


@pytest.mark.parametrize(("answer", "status"), [(b"y\ny\n", 1), (b"n\n", 2)])
def test_the_folder_made_last_is_offered_where_none_is_named(tmp_path: Path, answer: bytes, status: int) -> None:
    home = tmp_path / "home"
    run("new", "training-dummy", tmp_path / "mine", EVALFORGE_HOME=str(home))
    assert judge_at_a_terminal(None, home, answer).returncode == status
