import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from log_leviathan import parse_line, summarise


def test_two_lines_and_a_damaged_one():
    told = summarise(
        [
            b"2031-04-02T05:00:00.125Z INFO gate opened by hand\n",
            b"something else\n",
            b"2031-04-02T05:00:04.500Z ERROR gate jammed halfway\n",
        ],
        top=5,
    )
    assert told["lines"] == 3
    assert told["malformed"] == 1
    assert told["components"] == {"gate": {"lines": 2, "errors": 1}}


def test_parse():
    line = parse_line("2031-04-02T05:00:00.125Z INFO gate opened by hand")
    assert line.level == "INFO"
    assert line.message == "opened by hand"


def test_malformed():
    assert parse_line("something else") is None
    assert parse_line("2031-04-02T05:00:00.125Z LOUD gate opened by hand") is None


def test_empty_log():
    told = summarise([], top=5)
    assert told["lines"] == 0
    assert told["error_rate"] == 0
