"""The judging of a class, stopped or killed at its work: the next run goes on from there."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import REPOSITORY
from tests.judged import make_class

pytestmark = pytest.mark.usefixtures("warm_engine")  # for the runs that are not stopped
# So many that no machine has judged them all by the time a signal arrives.
_MANY = 12
_LONGEST = 60.0


def start(place: Path, home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "evalforge", "batch", "training-dummy", str(place), "--workers", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "EVALFORGE_HOME": str(home)},
    )


def settled(child: subprocess.Popen[str], count: int) -> None:
    """Wait until so many rows are settled."""
    assert child.stderr is not None
    for line in child.stderr:
        if line.startswith(f"{count}/"):
            return


def judged(home: Path) -> dict[str, list[str]]:
    """The judged attempts of each row."""
    with closing(sqlite3.connect(home / "attempts.sqlite3")) as db:
        rows = db.execute("SELECT directory, id FROM attempts WHERE state = 'judged' ORDER BY seq").fetchall()
    found: dict[str, list[str]] = {}
    for directory, attempt_id in rows:
        found.setdefault(Path(directory).name, []).append(attempt_id)
    return found


def test_ctrl_c_leaves_what_the_next_run_goes_on_from(tmp_path: Path) -> None:
    place = make_class(tmp_path / "class", _MANY)
    child = start(place, tmp_path)
    settled(child, 2)
    child.send_signal(signal.SIGINT)
    _, told = child.communicate(timeout=_LONGEST)
    assert child.returncode == 130
    assert "submissions are judged. Run the same command to continue." in told
    before = judged(tmp_path)
    assert 2 <= len(before) < _MANY
    assert run("batch", "training-dummy", place, EVALFORGE_HOME=str(tmp_path)).returncode == 0
    after = judged(tmp_path)
    assert len(after) == _MANY
    assert all(after[row_id] == ids for row_id, ids in before.items())


def killed_at_random(tmp_path: Path, times: int, seed: int) -> None:
    """Kill runs over one class at random moments until it is done; nothing may be lost or judged twice."""
    rng = random.Random(seed)
    place = make_class(tmp_path / "class", 6)
    for _ in range(times):
        child = start(place, tmp_path)
        deadline = time.monotonic() + rng.uniform(0.2, 3.0)
        while child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        child.kill()
        child.communicate(timeout=_LONGEST)
        known = judged(tmp_path) if (tmp_path / "attempts.sqlite3").exists() else {}
        assert all(len(ids) == 1 for ids in known.values())
        if len(known) == 6:
            for path in place.glob("*/who.md"):
                path.write_text(f"{rng.random()}\n")
            (tmp_path / "attempts.sqlite3").unlink()
    ended = run("batch", "training-dummy", place, EVALFORGE_HOME=str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    assert [len(ids) for ids in judged(tmp_path).values()] == [1] * 6
    with closing(sqlite3.connect(tmp_path / "attempts.sqlite3")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM attempts WHERE state = 'running'").fetchone() == (0,)


def test_a_killed_run_loses_no_row_and_judges_none_twice(tmp_path: Path) -> None:
    killed_at_random(tmp_path, times=2, seed=7)
