import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

PROGRAM = Path(__file__).resolve().parents[1] / "log_leviathan.py"


@pytest.fixture
def leviathan(tmp_path):
    """Run the program in an empty folder."""

    def run(*arguments, stdin=b""):
        done = subprocess.run(
            [sys.executable, str(PROGRAM), *arguments], input=stdin, capture_output=True, cwd=tmp_path, timeout=30
        )
        return SimpleNamespace(status=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())

    return run


@pytest.fixture
def summary(leviathan):
    """The summary of a log that is given as text, bytes or a list of lines."""

    def of(log, *arguments):
        if isinstance(log, list):
            log = "".join(line + "\n" for line in log)
        if isinstance(log, str):
            log = log.encode("utf-8")
        done = leviathan(*arguments, stdin=log)
        assert done.status == 0, done.err
        return json.loads(done.out)

    return of
