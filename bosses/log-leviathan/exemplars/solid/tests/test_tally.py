import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from log_leviathan.tally import Tally


def summary_of(*lines, top=5):
    tally = Tally(top)
    for line in lines:
        tally.take(line)
    return tally.summary()


def test_counts():
    told = summary_of(
        "2031-04-02T05:00:00.125Z INFO gate opened",
        "2031-04-02T05:00:01.125Z ERROR gate stuck",
        "something else",
    )
    assert told["lines"] == 3
    assert told["malformed"] == 1
    assert told["error_rate"] == 0.5
    assert told["components"] == {"gate": {"lines": 2, "errors": 1}}


def test_slowest():
    told = summary_of(
        "2031-04-02T05:00:00.125Z INFO gate GET /a 200 30ms",
        "2031-04-02T05:00:01.125Z INFO gate GET /b 200 300ms",
        top=1,
    )
    assert [entry["request"] for entry in told["slowest"]] == ["GET /b"]
