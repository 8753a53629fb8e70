"""A contest of scripted agents: one that solves, one that cheats, one that hangs, one that reads around."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from evalforge.agents.agent_process import can_cage
from evalforge.agents.standings import wilson_interval
from tests.command_line import Ended, run

REPOSITORY = Path(__file__).resolve().parents[2]
BOSSES = REPOSITORY / "bosses"
pytestmark = pytest.mark.usefixtures("measured_once")
caged = pytest.mark.skipif(not can_cage(), reason="bubblewrap doesn't work here")

SOLVER = """
import os, shutil, sys
task = sys.stdin.read()
boss = "training-dummy" if "dummy.py" in task else "torn-page"
# The first try is weak; whoever is given feedback knows better.
good = "first-win" if boss == "training-dummy" else "flawless"
name = good if "EVALFORGE_FEEDBACK" in os.environ else "weak"
shutil.copytree(os.path.join(sys.argv[1], boss, name), ".", dirs_exist_ok=True)
print("built", boss, name)
"""
HANGER = "import time, os\nopen('begun', 'w').close()\nos.fork()\ntime.sleep(3600)\n"
CHEAT = """
import pathlib
pathlib.Path("dummy.py").write_text("import os, sys\\nprint('PASSED')\\nos._exit(0)\\n")
pathlib.Path("conftest.py").write_text("def pytest_runtest_makereport(item, call): pass\\n")
"""
READER = """
import os, pathlib, sys
found = []
for folder in sys.argv[1:]:
    for root, _, names in os.walk(folder):
        found += [os.path.join(root, name) for name in names]
try:
    pathlib.Path(sys.argv[1], "planted").write_text("x")
    found.append("wrote")
except OSError:
    pass
print("FOUND", len(found))
pathlib.Path("dummy.py").write_text("print('hello, this is a program of my own')\\n")
"""


@pytest.fixture
def solutions(tmp_path: Path) -> Path:
    """What the solving agent knows: copies of exemplars, elsewhere on the disk."""
    for boss in ("training-dummy", "torn-page"):
        shutil.copytree(BOSSES / boss / "exemplars", tmp_path / "known" / boss)
    return tmp_path / "known"


def contest(folder: Path, script: str, *more: object, bosses: str = "training-dummy", words: str = "") -> Ended:
    program = folder / "agent.py"
    program.write_text(script)
    agent = f"{sys.executable} {program} {words}"
    return run("arena", "--agent", agent, "--name", "smith", "-o", folder / "out", *more, "--bosses", bosses)


def table(folder: Path) -> dict[str, Any]:
    return {boss["boss_id"]: boss for boss in json.loads((folder / "out" / "table.json").read_text())["bosses"]}


def journal(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "out" / "journal.jsonl").read_text().splitlines()[1:]]


def test_a_solver_fells_two_bosses_by_feedback(tmp_path: Path, solutions: Path) -> None:
    ended = contest(tmp_path, SOLVER, "--repeats", "2", bosses="training-dummy,torn-page", words=str(solutions))
    assert ended.returncode == 0, ended.stderr
    bosses = table(tmp_path)
    assert {name: (boss["felled"], boss["repeats"]) for name, boss in bosses.items()} == {
        "training-dummy": (2, 2),
        "torn-page": (2, 2),
    }
    assert all(boss["tries"]["mean"] == 2 for boss in bosses.values())
    assert 0 < bosses["torn-page"]["felled_share"]["low"] < 1
    assert [(one["number"], one["passed"]) for one in journal(tmp_path)] == [(1, False), (2, True)] * 4
    # It copied, and the table says so.
    assert "flawless" in bosses["torn-page"]["copied"]
    assert "is a copy of one in an exemplar" in ended.stdout
    assert "felled" in ended.stdout
    page = (tmp_path / "out" / "table.html").read_text()
    assert "torn-page" in page
    assert "http" not in page.replace("http-equiv", "")
    assert ET.fromstring((tmp_path / "out" / "card.svg").read_text()).tag.endswith("svg")
    rows = json.loads(run("attempts", "--json").stdout)
    assert len(rows) == 8
    assert {row["agent"] for row in rows} == {"smith"}
    feedback = (tmp_path / "out" / "runs" / "torn-page-1" / "feedback-1.md").read_text()
    assert "## What to do next" in feedback


def test_a_cheat_earns_nothing(tmp_path: Path) -> None:
    ended = contest(tmp_path, CHEAT, "--tries", "1")
    assert ended.returncode == 0, ended.stderr
    dummy = table(tmp_path)["training-dummy"]
    assert (dummy["felled"], dummy["repeats"]) == (0, 1)
    for text in (
        ended.stdout,
        (tmp_path / "out" / "table.html").read_text(),
        (tmp_path / "out" / "card.svg").read_text(),
    ):
        assert "t most 1 attempt " in text
        assert "1 repeat," in text


def test_one_that_hangs_is_stopped_and_judged_by_what_is_there(tmp_path: Path) -> None:
    ended = contest(tmp_path, HANGER, "--tries", "1", "--seconds", "1")
    assert ended.returncode == 0, ended.stderr
    (only,) = journal(tmp_path)
    assert (only["ended"], only["exit_status"]) == ("timeout", None)
    assert table(tmp_path)["training-dummy"]["timeouts"] == 1


@caged
def test_one_that_reads_around_finds_no_pack_and_writes_nowhere(tmp_path: Path, own_home: Path) -> None:
    other = tmp_path / "out" / "runs" / "other"
    other.mkdir(parents=True)
    (other / "feedback-1.md").write_text("of another run")
    hidden = " ".join(map(str, (BOSSES, own_home, other.parent / "other")))
    contest(tmp_path, READER, "--tries", "1", words=hidden)
    log = (tmp_path / "out" / "runs" / "training-dummy-1" / "try-1.log").read_text()
    assert log == "FOUND 0\n"


def test_without_a_cage_the_table_and_a_note_say_so(tmp_path: Path, solutions: Path) -> None:
    ended = contest(tmp_path, READER, "--tries", "1", "--uncaged", "--hide", solutions, words=str(solutions))
    assert "The agent runs without a sandbox" in ended.stderr
    assert "sandbox none" in ended.stdout
    log = (tmp_path / "out" / "runs" / "training-dummy-1" / "try-1.log").read_text()
    assert log != "FOUND 0\n"


def test_killed_and_started_again_it_goes_on(tmp_path: Path, solutions: Path) -> None:
    agent = tmp_path / "agent.py"
    waits = f"import pathlib, time\nwhile pathlib.Path({str(tmp_path / 'wait')!r}).exists(): time.sleep(0.05)\n"
    agent.write_text(waits + SOLVER)
    options = ["--agent", f"{sys.executable} {agent} {solutions}", "--name", "smith", "-o", str(tmp_path / "out")]
    command = [sys.executable, "-m", "evalforge", "arena", *options, "--repeats", "2", "--bosses", "training-dummy"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = tmp_path / "out" / "journal.jsonl"
    while not path.exists() or len(path.read_text().splitlines()) < 3:
        assert process.poll() is None
        time.sleep(0.02)
    (tmp_path / "wait").touch()
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = path.read_text()
    whole = before[: before.rindex("\n") + 1]
    path.write_text(f'{whole}{{"torn')
    (tmp_path / "wait").unlink()
    ended = run("arena", *options, "--repeats", "2", "--bosses", "training-dummy")
    assert ended.returncode == 0, ended.stderr
    assert path.read_text().startswith(whole)
    assert [(one["repeat"], one["number"]) for one in journal(tmp_path)] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    again = run("arena", *options, "--repeats", "3", "--bosses", "training-dummy")
    assert (again.returncode, "contest of another plan" in again.stderr) == (2, True)


def test_unusable_options_are_refused(tmp_path: Path) -> None:
    for options, words in (
        (("--agent", "no-such-program", "--bosses", "torn-page"), "there is no program"),
        (("--agent", "'", "--bosses", "torn-page"), "can't be read"),
        (("--agent", "true", "--bosses", "nobody"), "There is no boss called"),
        (("--agent", "true", "--bosses", "torn-page", "--tries", "0"), "above 0"),
    ):
        ended = run("arena", *options, "-o", tmp_path / "out")
        assert (ended.returncode, words in ended.stderr) == (2, True), ended.stderr


def test_a_share_of_all_repeats_still_has_an_interval() -> None:
    every, none = wilson_interval(5, 5), wilson_interval(0, 5)
    assert every is not None
    assert none is not None
    # 5 of 5: 0.566 to 1, as R's prop.test(5, 5, correct = FALSE) has it.
    assert (round(every.low or 0, 3), every.high) == (0.566, 1.0)
    assert (none.low, round(none.high or 0, 3)) == (0.0, 0.434)
    assert wilson_interval(0, 0) is None
