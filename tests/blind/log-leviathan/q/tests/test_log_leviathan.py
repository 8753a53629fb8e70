import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from log_leviathan import parse_line, summarise

T = b"2031-04-02T05:00:00.125Z"


def run(*arguments, stdin=b""):
    return subprocess.run(
        [sys.executable, str(ROOT / "log_leviathan.py"), *map(str, arguments)], input=stdin, capture_output=True
    )


def told(log, *arguments):
    ended = run(*arguments, stdin=log)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def requests(*durations):
    return b"".join(b"%s INFO gate GET /%d 200 %dms\n" % (T, place, ms) for place, ms in enumerate(durations))


def test_the_whole_summary():
    log = (
        b"2031-04-02T05:00:02.000Z INFO gate GET /valves/7 200 31ms\r\n"
        b"\n   \n"
        b"2031-04-02T05:00:01.000Z WARNING pump.3 pressure\x0c is\xe2\x80\xa8falling\n"
        b"nonsense\n"
        b"2031-04-02T05:00:09.000Z CRITICAL Gate jammed"
    )
    assert told(log) == {
        "lines": 4,
        "malformed": 1,
        "first": "2031-04-02T05:00:01.000Z",
        "last": "2031-04-02T05:00:09.000Z",
        "levels": {"DEBUG": 0, "INFO": 1, "WARNING": 1, "ERROR": 0, "CRITICAL": 1},
        "components": {
            "gate": {"lines": 1, "errors": 0},
            "pump.3": {"lines": 1, "errors": 0},
            "Gate": {"lines": 1, "errors": 1},
        },
        "error_rate": 1 / 3,
        "requests": 1,
        "slowest": [
            {"ms": 31, "time": "2031-04-02T05:00:02.000Z", "component": "gate", "request": "GET /valves/7", "status": 200}
        ],
    }


def test_nothing_well_formed():
    assert told(b"x\n")["error_rate"] is None
    assert told(b"")["first"] is None


@pytest.mark.parametrize(
    "line",
    [
        b"2031-02-30T05:00:00.125Z INFO gate no such day",
        b"2031-04-02T24:00:00.000Z INFO gate no such hour",
        b"2031-04-02T05:00:60.000Z INFO gate no such second",
        b"2031-04-02T05:00:00Z INFO gate no milliseconds",
        b"2031-04-02 05:00:00.125Z INFO gate no T",
        b"2031-4-2T05:00:00.125Z INFO gate no zeros",
        T + b" info gate small letters",
        T + b" NOTICE gate no level",
        T + b" INFO ga/te odd component",
        T + b" INFO gate  two spaces",
        T + b"  INFO gate two spaces",
        b" " + T + b" INFO gate space in front",
        T + b" INFO gate ",
        T + b" INFO gate",
        T + b" INFO gate \xff\xfe",
    ],
)
def test_malformed(line):
    assert parse_line(line) is None
    assert told(line + b"\n" + T + b" INFO gate fine\n")["malformed"] == 1


@pytest.mark.parametrize(
    "message", [b"GET /a 200 3ms ", b"get /a 200 3ms", b"GET a 200 3ms", b"GET /a 20 3ms", b"GET /a 200 3 ms", b"GET  /a 200 3ms"]
)
def test_nearly_a_request(message):
    summary = summarise([T + b" INFO gate " + message + b"\n"])
    assert (summary["requests"], summary["malformed"], summary["slowest"]) == (0, 0, [])


@pytest.mark.parametrize("top, order", [(0, []), (1, ["/1"]), (3, ["/1", "/3", "/0"]), (9, ["/1", "/3", "/0", "/2", "/4"])])
def test_the_slowest_in_order(top, order):
    summary = told(requests(5, 100, 5, 99, 5), "--top", top)
    assert ["GET " + path for path in order] == [each["request"] for each in summary["slowest"]]
    assert summary["requests"] == 5


def test_files_in_order_and_output_replaced(tmp_path):
    (tmp_path / "a").write_bytes(requests(1, 2)[:-1])
    (tmp_path / "b").write_bytes(requests(3))
    (tmp_path / "out").write_text("old " * 1000)
    ended = run(tmp_path / "a", "--output", tmp_path / "out", tmp_path / "b", tmp_path / "a")
    assert (ended.returncode, ended.stdout) == (0, b"")
    assert json.loads((tmp_path / "out").read_text())["requests"] == 5


@pytest.mark.parametrize("bad", ["missing", "."])
def test_a_file_that_cannot_be_read(tmp_path, bad):
    (tmp_path / "a").write_bytes(requests(1))
    (tmp_path / "out").write_text("old")
    ended = run(tmp_path / "a", tmp_path / bad, "--output", tmp_path / "out")
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert str(tmp_path / bad).encode() in ended.stderr and b"Traceback" not in ended.stderr
    assert (tmp_path / "out").read_text() == "old"


def test_an_output_nowhere(tmp_path):
    ended = run("--output", tmp_path / "no" / "out")
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"out" in ended.stderr and b"Traceback" not in ended.stderr


@pytest.mark.parametrize("top", ["-1", "2.5", "many", ""])
def test_a_senseless_top(top):
    ended = run("--top", top)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert b"--top" in ended.stderr
