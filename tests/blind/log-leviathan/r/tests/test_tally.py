from log_leviathan.__main__ import count_lines
from log_leviathan.report import build_report


def line(second, message, level="INFO", component="gate"):
    return f"2031-04-02T05:00:{second:02}.000Z {level} {component} {message}\n".encode()


def report(*lines, top=5):
    return build_report(count_lines(lines, top))


def test_levels_and_components():
    told = report(line(1, "a"), line(2, "b", "ERROR"), line(3, "c", "CRITICAL", "Gate"), b"bad\n", b"  \n")
    assert told["lines"] == 4
    assert told["malformed"] == 1
    assert told["levels"] == {"DEBUG": 0, "INFO": 1, "WARNING": 0, "ERROR": 1, "CRITICAL": 1}
    assert told["components"] == {"gate": {"lines": 2, "errors": 1}, "Gate": {"lines": 1, "errors": 1}}
    assert told["error_rate"] == 2 / 3


def test_times_out_of_order():
    told = report(line(5, "a"), line(2, "b"), line(9, "c"), line(4, "d"))
    assert told["first"].startswith("2031-04-02T05:00:02")
    assert told["last"].startswith("2031-04-02T05:00:09")


def test_slowest_first():
    told = report(line(1, "GET /a 200 5ms"), line(2, "PUT /b 404 50ms"), line(3, "GET /c 200 7ms"), top=2)
    assert told["requests"] == 3
    assert [(r["request"], r["ms"], r["status"]) for r in told["slowest"]] == [("PUT /b", 50, 404), ("GET /c", 7, 200)]


def test_equal_durations_go_to_the_earlier_one():
    told = report(line(8, "GET /late 200 5ms"), line(2, "GET /early 200 5ms"), line(4, "GET /mid 200 5ms"))
    assert [r["request"] for r in told["slowest"]] == ["GET /early", "GET /mid", "GET /late"]


def test_same_moment_goes_by_position():
    told = report(line(1, "GET /1 200 5ms"), line(1, "GET /2 200 5ms"), top=1)
    assert told["slowest"][0]["request"] == "GET /1"


def test_top_zero():
    told = report(line(1, "GET /1 200 5ms"), top=0)
    assert (told["requests"], told["slowest"]) == (1, [])


def test_empty():
    told = report()
    assert told["first"] is told["last"] is told["error_rate"] is None
    assert told["slowest"] == []
