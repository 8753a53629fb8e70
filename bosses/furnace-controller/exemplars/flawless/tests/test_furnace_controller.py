"""What the contract promises, tried on the command itself: exit status, decision word, refusals."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parent.parent / "furnace_controller.py"
STATUS = {"STABLE": 0, "HEAT": 10, "COOL": 11}


def call(*arguments):
    """Run the command: its exit status, the decision words it reported, and all it said."""
    done = subprocess.run([sys.executable, PROGRAM, *map(str, arguments)], capture_output=True, timeout=20)
    said = (done.stdout + b"\n" + done.stderr).decode()
    return done.returncode, re.findall(r"\b(?:HEAT|COOL|STABLE)\b", said), said


@pytest.fixture
def furnace(tmp_path):
    """Run the command on a file with this content; a list stands for readings."""

    def run(content, target=20, *options):
        path = tmp_path / "readings.json"
        if isinstance(content, list):
            content = json.dumps({"readings": content}).encode()
        path.write_bytes(content)
        return call("--input", path, "--target-temp", target, *options)

    return run


def decision_of(run):
    """The one decision that a run reported; its exit status must agree."""
    status, words, said = run
    assert len(set(words)) == 1, said
    assert status == STATUS[words[0]], said
    return words[0]


@pytest.mark.parametrize(
    ("readings", "target", "tolerance", "decision"),
    [
        ([12.5], 20, 2, "HEAT"),
        ([17.9375], 20, 2, "HEAT"),
        ([18], 20, 2, "STABLE"),
        ([20], 20, 2, "STABLE"),
        ([22], 20, 2, "STABLE"),
        ([22.0625], 20, 2, "COOL"),
        ([30], 20, 2, "COOL"),
        ([20.75], 20.5, 0.25, "STABLE"),
        ([20.875], 20.5, 0.25, "COOL"),
        ([20.5], 20, 0, "COOL"),
        ([19.5], 20, 0, "HEAT"),
        ([-30], -20, 2, "HEAT"),
        ([-22], -20, 2, "STABLE"),
        ([-18], -20, 2, "STABLE"),
        ([-17.5], -20, 2, "COOL"),
        ([-1, 1], 0, 0, "STABLE"),
        ([-1.5], 0, 1, "HEAT"),
    ],
)
def test_decision(furnace, readings, target, tolerance, decision):
    assert decision_of(furnace(readings, target, "--tolerance", tolerance)) == decision


@pytest.mark.parametrize(
    ("readings", "decision"),
    [
        ([10, 20, 30, 60], "STABLE"),
        ([60, 30, 20, 10], "STABLE"),
        ([10, 20, 30, 61], "COOL"),
        ([10, 20, 30, 59], "HEAT"),
        ([0, 60], "STABLE"),
        ([20, 20, 50], "STABLE"),
        ([30, 30.000001907348633], "COOL"),
        ([30, 29.999998092651367], "HEAT"),
    ],
)
def test_average_is_the_unrounded_mean_of_all_readings(furnace, readings, decision):
    assert decision_of(furnace(readings, 30, "--tolerance", 0)) == decision


@pytest.mark.parametrize(("reading", "decision"), [(48.875, "HEAT"), (49, "STABLE"), (51, "STABLE"), (51.125, "COOL")])
def test_tolerance_is_one_degree_unless_given(furnace, reading, decision):
    assert decision_of(furnace([reading], 50)) == decision


def test_options_in_any_order(tmp_path):
    path = tmp_path / "log.json"
    path.write_text('{"readings": [40, 42]}')
    assert decision_of(call("--tolerance", 2, "--input", path, "--target-temp", 20)) == "COOL"
    assert decision_of(call("--target-temp", 41, "--tolerance", 0, "--input", path)) == "STABLE"


def test_other_keys_are_ignored(furnace):
    content = '{"site": "Łódź", "tolerance": 90, "target": null, "readings": [12.5, 1]}'
    assert decision_of(furnace(content.encode())) == "HEAT"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"warm",
        b'{"readings": [1',
        b'{"readings": [20], "site": "\xff"}',
        b"[20]",
        b"20",
        b"null",
        b'"readings"',
        b"{}",
        b'{"readings": []}',
        b'{"readings": 20}',
        b'{"readings": "20"}',
        b'{"readings": null}',
        b'{"readings": {"20": 20}}',
        b'{"readings": ["20"]}',
        b'{"readings": [20, "warm"]}',
        b'{"readings": [true, 20]}',
        b'{"readings": [false]}',
        b'{"readings": [20, 21, null]}',
        b'{"readings": [[20]]}',
        b'{"readings": [{"value": 20}]}',
        b'{"readings": [NaN]}',
        b'{"readings": [20, Infinity]}',
        b'{"readings": [-Infinity, 20]}',
    ],
)
def test_bad_file_is_refused(furnace, content):
    check_refusal(furnace(content))


def test_missing_file_is_refused(tmp_path):
    check_refusal(call("--input", tmp_path / "nowhere.json", "--target-temp", 20))


def test_directory_is_refused(tmp_path):
    check_refusal(call("--input", tmp_path, "--target-temp", 20))


def check_refusal(run):
    status, words, said = run
    assert "Traceback" not in said
    assert (status, words) == (1, [])
    assert said.strip(), "an operator needs a message"
