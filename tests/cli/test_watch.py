"""Judging on save: the verdict follows the last save, nothing is kept, Ctrl+C ends it in order."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

import pytest

from tests.conftest import REPOSITORY
from tests.judged import FIRST_WIN, FLAWLESS, WEAK
from tests.processes import below

PATIENCE = 60


class Watch:
    """A running ``evalforge watch``, line by line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.lines: Queue[str] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put("")

    def until(self, words: str) -> str:
        """The next line with these words."""
        while words not in (line := self.lines.get(timeout=PATIENCE)):
            pass
        return line

    def close(self) -> None:
        """Read what is left, and close the pipe."""
        assert self.process.stdout is not None
        self._reader.join(PATIENCE)
        self.process.stdout.close()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@contextmanager
def watching(solution: Path, *options: str) -> Iterator[Watch]:
    process = subprocess.Popen(
        [sys.executable, "-m", "evalforge", "watch", "training-dummy", str(solution), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    watch = Watch(process)
    try:
        yield watch
    finally:
        process.kill()
        process.wait()
        watch.close()


@pytest.fixture
def solution(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WEAK, tmp_path / "solution"))


def test_a_save_is_judged_and_its_verdict_is_the_exit_status(solution: Path, own_home: Path) -> None:
    with watching(solution) as watch:
        watch.until("judging")
        watch.until("FAIL")
        shutil.copy(FIRST_WIN / "dummy.py", solution)
        assert "saved dummy.py" in watch.until("judging")
        assert "+" in watch.until("PASS")
        watch.until("next")
        status = watch.stop()
        assert "PASS" in watch.until("Stopped at")
    assert status == 0
    assert not (own_home / "attempts.sqlite3").exists()


def test_a_newer_save_drops_the_judging_under_way(solution: Path) -> None:
    with watching(solution, "--plain") as watch:
        watch.until("next")
        idle = below(watch.process.pid)
        # Slow enough that the next save comes while it is judged.
        (solution / "dummy.py").write_text("import time\ntime.sleep(1.5)\n")
        watch.until("saved dummy.py: judging")
        end = time.monotonic() + PATIENCE
        while not below(watch.process.pid) - idle and time.monotonic() < end:
            time.sleep(0.01)  # once something runs the files are read, and the next save is another judging's
        shutil.copy(FIRST_WIN / "dummy.py", solution)
        following = [watch.lines.get(timeout=PATIENCE) for _ in range(3)]
        assert watch.stop() == 0
    assert following[0] == ""
    assert "saved dummy.py: judging" in following[1]
    assert "PASS  5 of 7" in following[2]


def test_what_can_not_be_judged_is_said_and_watching_goes_on(solution: Path) -> None:
    (solution / "dummy.py").rename(solution.with_name("kept.py"))
    with watching(solution, "--json") as watch:
        assert "holds no" in json.loads(watch.until('"error"'))["error"]
        solution.with_name("kept.py").rename(solution / "dummy.py")
        assert json.loads(watch.until('"result"'))["result"]["verdict"] == "fail"
        assert watch.stop() == 1


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A folder of one contract test, and no program."""
    folder = tmp_path / "suite"
    folder.mkdir()
    whole = (FLAWLESS / "tests/test_dummy.py").read_text().replace(".parent.parent", ".parent")
    (folder / "test_dummy.py").write_text(whole.partition("\n\n\n@pytest")[0] + "\n")
    return folder


def test_tests_alone_meet_impostors_after_every_save(suite: Path, own_home: Path) -> None:
    with watching(suite, "--tests", "--plain") as watch:
        watch.until("running the tests")
        assert "by 1 contract test" in watch.until("impostors caught")
        file = suite / "test_dummy.py"
        file.write_text(file.read_text() + '\n\ndef test_bows():\n    assert strike("A").stdout == "It bows."\n')
        watch.until("saved test_dummy.py: running the tests")
        assert "test_dummy.py:29  `test_bows` fails on a program" in watch.until("test_bows")
        watch.until("impostors caught")
        status = watch.stop()
        assert "1 wrong expectation" in watch.until("Stopped at")
    assert status == 1
    assert not (own_home / "attempts.sqlite3").exists()


def test_tests_alone_are_a_line_of_json_for_each_save(suite: Path) -> None:
    with watching(suite, "--tests", "--json") as watch:
        data = json.loads(watch.until('"impostors"'))
        assert watch.stop() == 1
    assert data["saved"] == []
    assert {one["fate"] for one in data["impostors"]} >= {"unmasked", "let through"}
    assert "tests.unmasked" in {fact["name"] for fact in data["facts"]}
