"""Every benchmark can be started: its smallest round, in a process of its own as by hand. Its figures mean nothing."""

import subprocess
import sys

import pytest

from benchmarks.__main__ import BENCHMARKS
from benchmarks.bosses import END, PAGE, START, BossSeconds, format_table, replace_table
from benchmarks.runs import FightWatch
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


def test_the_table_of_bosses_begins_with_the_quickest() -> None:
    rows = [BossSeconds("Slow", 2.0, 9.0, 8.0), BossSeconds("Quick", 0.5, 3.0, 1.0)]
    assert format_table(rows).splitlines()[2:] == [
        "| Quick | 0.5 | 3.0 | 6.0 | 1.0 | 2.0 |",
        "| Slow | 2.0 | 9.0 | 4.5 | 8.0 | 4.0 |",
    ]


def test_a_table_takes_the_place_of_the_last_one() -> None:
    page = f"before\n{START}old\n{END}after\n"
    assert replace_table(page, "new") == replace_table(replace_table(page, "newer"), "new")
    assert "old" not in replace_table(page, "new")
    with pytest.raises(ValueError, match="needs the lines"):
        replace_table("no marks", "new")


def test_the_page_on_performance_has_a_row_for_each_boss() -> None:
    _, _, rest = PAGE.read_text("utf-8").partition(START)
    rows = [line for line in rest.partition(END)[0].splitlines() if line.startswith("| ")]
    assert len(rows) - 1 == len(list(REPOSITORY.glob("bosses/*/boss.yaml")))


def test_the_time_of_an_ended_host_is_counted_once() -> None:
    # Worker 1 has waited for host 2, which took 5 s with its runs, and for a child of its own that took 1 s.
    watch = FightWatch(
        worker=1,
        first={1: (1.0, 0.5), 2: (1.0, 1.0)},
        last={1: (1.5, 6.5), 2: (2.0, 3.0)},
        long_lived={1: "trial worker", 2: "host of the trials"},
        alive=frozenset({1}),
    )
    assert watch.seconds() == {
        "trial worker": 0.5,
        "children of the worker": 1.0,
        "host of the trials": 1.0,
        "runs of the trials": 2.0,
    }
