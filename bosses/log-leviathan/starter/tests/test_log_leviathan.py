"""One promise to begin with. It fails until somebody counts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from log_leviathan import summarise


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
