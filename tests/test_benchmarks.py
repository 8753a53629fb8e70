"""Every benchmark can be started: its smallest round, in a process of its own as by hand. Its figures mean nothing."""

import subprocess
import sys

import pytest

from benchmarks.__main__ import BENCHMARKS
from tests.conftest import REPOSITORY


@pytest.mark.parametrize("name", BENCHMARKS)
@pytest.mark.usefixtures("own_home")
def test_a_benchmark_ends_well(name: str) -> None:
    command = [sys.executable, "-m", "benchmarks", name, "--smallest"]
    ended = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=240)
    assert ended.returncode == 0, ended.stdout[-1000:] + ended.stderr[-3000:]
    assert len(ended.stdout.splitlines()) > 3, ended.stdout


def test_every_benchmark_is_listed() -> None:
    modules = {path.stem for path in (REPOSITORY / "benchmarks").glob("*.py") if "def main(" in path.read_text("utf-8")}
    assert modules - {"__main__"} == set(BENCHMARKS)
