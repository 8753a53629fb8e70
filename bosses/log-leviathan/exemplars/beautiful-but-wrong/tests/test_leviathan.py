"""The Leviathan, segment by segment."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from belly import Belly
from log_leviathan import main
from scales import Level, Scale, read_scale

NOON = "2031-04-02T12:00:00.000Z"


def test_a_line_is_understood():
    assert read_scale(f"{NOON} INFO gate opened".encode()) == Scale(NOON, Level.INFO, "gate")


@pytest.mark.parametrize("raw", [b"", b"words", f"{NOON} LOUD gate x".encode(), f"{NOON} INFO gate".encode(), b"\xff"])
def test_malformed_lines(raw):
    assert read_scale(raw) is None


def test_trouble_begins_with_a_warning():
    told = Belly().swallow([Scale(NOON, Level.WARNING, "gate"), Scale(NOON, Level.INFO, "gate"), None]).as_dict()
    assert told["error_rate"] == 0.5
    assert told["malformed"] == 1
    assert told["components"] == {"gate": {"lines": 2, "errors": 1}}


def test_the_slowest_come_first():
    lines = [f"{NOON} INFO gate GET /{ms} 200 {ms}ms".encode() for ms in (5, 70, 9)]
    told = Belly(top=2).swallow(map(read_scale, lines)).as_dict()
    assert [entry["ms"] for entry in told["slowest"]] == [70, 9]
    assert told["requests"] == 3


def test_a_missing_log_is_refused(tmp_path, capsys):
    assert main([str(tmp_path / "lost.log")]) == 1
    assert "lost.log" in capsys.readouterr().err
