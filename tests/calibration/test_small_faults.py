"""Small faults cost their own criterion what the rubric says, and no other; what is right costs nothing."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from evalforge.cli.main import main
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.usefixtures("warm_engine")

FAULTS = {
    "cache-wraith": ["one-shelf-for-all"],
    "flaky-oracle": ["knocks-on-a-shut-door"],
    "forge-titan": ["journal-of-the-refused", "desk-cleared-too-early"],
    "ledger-lich": ["conflict-of-its-own-house", "no-page-for-the-way-back"],
    "log-leviathan": ["equals-listed-by-time", "numbers-of-malformed-kept"],
    "torn-page": ["writes-before-it-asks"],
    "training-dummy": ["blows-without-end"],
    "turnstile-tyrant": ["how-long-without-the-lock", "locks-under-another-name"],
}
OWN_FLOATS = {
    "flaky-oracle": (
        "oracle.py",
        "        return pause if wished is None else max(pause, wished)\n",
        "        return Seconds(pause if wished is None else max(pause, wished))\n\n\nclass Seconds(float): ...\n",
    ),
    "syntax-sphinx": (
        "sphinx.py",
        "        return stack.pop()\n",
        "        return Value(stack.pop())\n\n\nclass Value(float):\n    pass\n",
    ),
}
"""Where a right program has a subclass of float: the file, what it says, and what it says instead."""


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    """A folder for packs with a few of their faults."""
    return tmp_path / "bosses"


def keep(boss: str, packs: Path) -> None:
    """A copy of a pack with one right program, and the faults of it that are named above."""
    copy = packs / boss
    shutil.copytree(REPOSITORY / "bosses" / boss, copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / "impostors" / "impostors.yaml"
    listed = yaml.safe_load(path.read_text("utf-8"))
    listed.pop("core", None)
    listed["right"] = [program for program in listed["right"] if program["name"] == "flawless"]
    for kind in ("impostors", "faults"):
        listed[kind] = [each for each in listed[kind] if each["id"] in FAULTS[boss]]
    path.write_text(yaml.safe_dump(listed), "utf-8")


@pytest.mark.rotating
@pytest.mark.parametrize("boss", FAULTS)
def test_a_small_fault_costs_what_it_should(boss: str, packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(boss, packs)
    assert main(["calibrate", boss, "--impostors", "--json", "--bosses", str(packs)]) == 0
    (table,) = json.loads(capsys.readouterr().out)
    assert [program["failed"] for program in table["right"]] == [[]]
    levels = {wrong["id"]: wrong["given"] for wrong in table["wrong"]}
    assert levels == {wrong["id"]: wrong["expected"] for wrong in table["wrong"]}
    assert sorted(levels) == sorted(FAULTS[boss])
    assert main(["calibrate", boss, "--faults", "--bosses", str(packs)]) == 0, capsys.readouterr().out


@pytest.mark.rotating
@pytest.mark.parametrize("boss", OWN_FLOATS)
def test_a_subclass_of_float_costs_nothing(boss: str, packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = packs / boss
    shutil.copytree(REPOSITORY / "bosses" / boss, copy, ignore=shutil.ignore_patterns("__pycache__"))
    name, old, new = OWN_FLOATS[boss]
    shutil.copytree(copy / "exemplars" / "flawless", copy / "impostors" / "own")
    program = copy / "impostors" / "own" / name
    text = program.read_text("utf-8")
    assert text.count(old) == 1
    program.write_text(text.replace(old, new), "utf-8")
    path = copy / "impostors" / "impostors.yaml"
    listed = yaml.safe_load(path.read_text("utf-8"))
    listed.pop("core", None)
    listed["right"] = [each for each in listed["right"] if each["name"] == "flawless"]
    listed["right"].append({"name": "own", "folder": "own", "design": "A float of its own."})
    listed["impostors"] = [each for each in listed["impostors"] if each["of"] == "flawless"][:1]
    listed["faults"] = []
    path.write_text(yaml.safe_dump(listed), "utf-8")
    assert main(["calibrate", boss, "--impostors", "--json", "--bosses", str(packs)]) == 0
    (table,) = json.loads(capsys.readouterr().out)
    assert [program["failed"] for program in table["right"]] == [[], []]


@pytest.mark.parametrize(
    ("boss", "submission", "criterion", "level"),
    [
        pytest.param("schedule-hydra", "r", "schedule", 2, id="a loop that polls keeps the limit"),
        pytest.param("turnstile-tyrant", "r", "thrift", 1, id="slow calls forget their keys"),
        pytest.param("log-leviathan", "e", "proof", 1, id="a test expects what an impostor beyond the core does"),
    ],
)
def test_readers_levels_are_given(
    boss: str, submission: str, criterion: str, level: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = REPOSITORY / "tests" / "blind" / boss / submission
    main(["judge", boss, str(folder), "--judge", "forge", "--no-save", "--json"])
    given = {each["id"]: each["score"] for each in json.loads(capsys.readouterr().out)["criteria"]}
    assert given[criterion] == level
