"""One promise to begin with. It fails until somebody counts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from log_leviathan import split_line, summarise


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
    assert told["error_rate"] == 0.5


def test_bad_day():
    assert split_line("2031-04-31T05:00:03.000Z INFO gate no such day") is None


def test_requests():
    told = summarise([b"2031-04-02T05:00:00.125Z INFO gate GET /valves/7 200 31ms\n"], top=5)
    assert told["requests"] == 1
