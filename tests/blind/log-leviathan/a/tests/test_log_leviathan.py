import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from log_leviathan import summarise

T = "2031-04-02T05:00:00.125Z"


def of(*lines, top=5):
    return summarise((f"{line}\n".encode() for line in lines), top)


def test_counts():
    told = of(f"{T} INFO gate opened by hand", "something else", "2031-04-02T05:00:04.500Z ERROR gate jammed halfway")
    assert told["lines"] == 3
    assert told["malformed"] == 1
    assert told["components"] == {"gate": {"lines": 2, "errors": 1}}
    assert told["error_rate"] == 0.5


def test_equal_durations_stay_in_order():
    told = of(*(f"{T} INFO g GET /{name} 200 {ms}ms" for name, ms in [("a", 1), ("b", 2), ("c", 2), ("d", 3)]), top=3)
    assert [request["request"] for request in told["slowest"]] == ["GET /d", "GET /b", "GET /c"]
    assert told["requests"] == 4


def test_nothing():
    assert of()["error_rate"] is None
