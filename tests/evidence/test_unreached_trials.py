"""Refusing everything refuses nothing: such trials are marked *not reached*, earn nothing, and say what is missing."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run

pytestmark = pytest.mark.usefixtures("warm_engine")

GRUMPY = """\
import sys

print("bad input", file=sys.stderr)
sys.exit({status})
"""
CRASHING = """\
import sys

path = sys.argv[sys.argv.index("--input") + 1]
try:
    text = open(path, encoding="utf-8").read()
    readings = __import__("json").loads(text)["readings"]
    assert readings and all(type(each) in (int, float) for each in readings)
except Exception as error:
    print(f"{path}: {error!r}", file=sys.stderr)
    sys.exit(1)
print(undefined_name)
"""


def outcomes(place: Path, boss: str, entry: str, program: str) -> tuple[dict[str, Any], dict[str, set[str]]]:
    """The result of judging one file, and the outcomes of each group of trials."""
    place.mkdir()
    (place / entry).write_text(program)
    home = {"EVALFORGE_HOME": str(place.parent / "home")}
    result = json.loads(run("judge", boss, place, "--judge", "forge", "--json", **home).stdout)
    (listed,) = json.loads(run("attempts", "--json", **home).stdout)
    attempt = json.loads(run("attempt", listed["id"], "--json", **home).stdout)
    groups: dict[str, set[str]] = {}
    for trial in attempt["evidence"]["trials"]:
        groups.setdefault(trial["group"], set()).add(trial["outcome"])
    return {each["id"]: each for each in result["criteria"]}, groups


@pytest.mark.parametrize(
    ("boss", "entry", "status", "criterion", "group"),
    [
        ("furnace-controller", "furnace_controller.py", 1, "robustness_logging_errors", "odd_input"),
        ("data-crucible", "data_crucible.py", 1, "errors_and_tests", "manner"),
        ("training-dummy", "dummy.py", 2, "stands_its_ground", "senseless"),
    ],
)
def test_who_refuses_everything_refuses_nothing(
    tmp_path: Path, boss: str, entry: str, status: int, criterion: str, group: str
):
    criteria, groups = outcomes(tmp_path / "grumpy", boss, entry, GRUMPY.format(status=status))
    assert criteria[criterion]["score"] == 0
    assert "passed" not in groups[group]
    assert "Good input is refused too" in criteria[criterion]["comment"]


def test_a_traceback_on_good_input_takes_no_refusal_away(tmp_path: Path):
    criteria, groups = outcomes(tmp_path / "crashing", "furnace-controller", "furnace_controller.py", CRASHING)
    assert groups["bad_input"] == {"passed"}
    assert criteria["correctness_semantics"]["score"] == 0
    assert criteria["robustness_logging_errors"]["score"] == 1
