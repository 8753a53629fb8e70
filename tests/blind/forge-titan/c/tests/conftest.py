import json
import subprocess
import sys
from pathlib import Path

import pytest

import titan


@pytest.fixture
def journal(tmp_path):
    (tmp_path / "book").mkdir()
    return tmp_path / "book" / "journal"


@pytest.fixture
def open_book(journal):
    return lambda: titan.Titan(str(journal))


@pytest.fixture
def book(open_book):
    return open_book()


@pytest.fixture
def states():
    return lambda book, now: {j["id"]: (j["state"], j["due"]) for j in book.status(now)["jobs"]}


@pytest.fixture
def run(journal):
    def call(command, *rest):
        line = [sys.executable, titan.__file__, command, str(journal), *map(str, rest)]
        ended = subprocess.run(line, capture_output=True, text=True)
        assert "Traceback" not in ended.stderr
        return ended.returncode, json.loads(ended.stdout or "null"), ended.stderr

    return call
