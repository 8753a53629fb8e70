import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parent.parent / "log_leviathan.py"
T = "2031-04-02T05:00:00.125Z"


def run(*arguments, log=b""):
    return subprocess.run([sys.executable, PROGRAM, *map(str, arguments)], input=log, capture_output=True, timeout=20)


def summary(log, *arguments):
    done = run(*arguments, log=log if isinstance(log, bytes) else log.encode())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_whole_summary():
    log = (
        "2031-04-02T05:00:00.125Z INFO gate GET /valves/7 200 31ms\r\n"
        "2031-04-02T05:00:09.000Z WARNING pump.3 pressure is falling\n"
        "   \n\n"
        "rubbish\n"
        "2031-04-02T04:59:59.999Z CRITICAL gate jammed\n"
        "2031-04-02T05:00:01.000Z DEBUG Gate POST /a?b=é 503 1200ms"
    )
    assert summary(log) == {
        "lines": 5,
        "malformed": 1,
        "first": "2031-04-02T04:59:59.999Z",
        "last": "2031-04-02T05:00:09.000Z",
        "levels": {"DEBUG": 1, "INFO": 1, "WARNING": 1, "ERROR": 0, "CRITICAL": 1},
        "components": {
            "gate": {"lines": 2, "errors": 1},
            "pump.3": {"lines": 1, "errors": 0},
            "Gate": {"lines": 1, "errors": 0},
        },
        "error_rate": 0.25,
        "requests": 2,
        "slowest": [
            {"ms": 1200, "time": "2031-04-02T05:00:01.000Z", "component": "Gate", "request": "POST /a?b=é", "status": 503},
            {"ms": 31, "time": T, "component": "gate", "request": "GET /valves/7", "status": 200},
        ],
    }


@pytest.mark.parametrize("log", [b"", b"\n  \r\n", b"rubbish\n"])
def test_nothing_well_formed(log):
    told = summary(log)
    assert (told["first"], told["last"], told["error_rate"]) == (None, None, None)
    assert told["lines"] == told["malformed"] == log.count(b"rubbish")
    assert told["levels"] == dict.fromkeys(["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], 0)


@pytest.mark.parametrize(
    "line",
    [
        "2031-02-30T05:00:00.125Z INFO gate no such day",
        "2031-04-02T24:00:00.000Z INFO gate no such hour",
        "2031-04-02T05:00:60.000Z INFO gate no such second",
        "2031-4-02T05:00:00.125Z INFO gate zero missing",
        "2031-04-02T05:00:00Z INFO gate no milliseconds",
        "2031-04-02T05:00:00.125 INFO gate no Z",
        "2031-04-02 05:00:00.125Z INFO gate no T",
        f"{T} info gate small",
        f"{T} FATAL gate unknown level",
        f"{T} INFO ga/te sign",
        f"{T} INFO  gate two spaces",
        f"{T} INFO gate  message starts with a space",
        f"{T} INFO gate ",
        f"{T} INFO gate",
        f" {T} INFO gate indented",
        b"2031-04-02T05:00:00.125Z INFO gate \xff\xfe",
    ],
)
def test_malformed(line):
    line = line if isinstance(line, bytes) else line.encode()
    told = summary(line + b"\n" + f"{T} INFO pump fine\n".encode())
    assert (told["lines"], told["malformed"], told["components"]) == (2, 1, {"pump": {"lines": 1, "errors": 0}})


@pytest.mark.parametrize(
    "message",
    ["get /a 200 3ms", "GET a 200 3ms", "GET /a 20 3ms", "GET /a 200 3s", "GET /a 200 ms", "GET  /a 200 3ms",
     "GET /a 200 3ms ", "so GET /a 200 3ms", "GET /a b 200 3ms", "GET /a 200 3.5ms"],
)
def test_no_request(message):
    told = summary(f"{T} INFO gate {message}\n")
    assert (told["lines"], told["malformed"], told["requests"], told["slowest"]) == (1, 0, 0, [])


@pytest.mark.parametrize("top, expected", [("0", ""), ("1", "b"), ("3", "bca"), ("9", "bcade")])
def test_top_and_equal_durations(top, expected):
    times = {"a": 7, "b": 30, "c": 30, "d": 7, "e": 6}
    told = summary("".join(f"{T} INFO g GET /{name} 200 {ms}ms\n" for name, ms in times.items()), "--top", top)
    assert "".join(entry["request"][-1] for entry in told["slowest"]) == expected
    assert told["requests"] == 5


def test_five_without_top():
    assert len(summary(f"{T} INFO g GET / 200 1ms\n" * 7)["slowest"]) == 5


def test_only_line_feeds_end_lines():
    assert summary(f"{T} INFO gate a\fb\u2028c\x85d\n")["lines"] == 1


def test_files_in_order_output_replaced(tmp_path):
    one, two, out = tmp_path / "one", tmp_path / "two", tmp_path / "out"
    one.write_text(f"{T} INFO g GET /1 200 5ms")
    two.write_text(f"{T} INFO g GET /2 200 5ms\n")
    out.write_text("old" * 1000)
    done = run(two, "--output", out, one, two)
    assert (done.returncode, done.stdout) == (0, b"")
    assert [entry["request"] for entry in json.loads(out.read_text())["slowest"]] == ["GET /2", "GET /1", "GET /2"]


@pytest.mark.parametrize("bad", ["absent.log", "."])
def test_bad_file_refused(tmp_path, bad):
    good, out = tmp_path / "good", tmp_path / "out"
    good.write_text(f"{T} INFO g fine\n")
    out.write_text("old")
    done = run(good, tmp_path / bad, "--output", out)
    assert (done.returncode, done.stdout, out.read_text()) == (1, b"", "old")
    assert str(tmp_path / bad) in done.stderr.decode() and b"Traceback" not in done.stderr


def test_bad_output_refused(tmp_path):
    done = run("--output", tmp_path / "no" / "out")
    assert (done.returncode, done.stdout) == (1, b"")
    assert str(tmp_path / "no") in done.stderr.decode() and b"Traceback" not in done.stderr


@pytest.mark.parametrize("top", ["-1", "2.5", "many", ""])
def test_bad_top_refused(tmp_path, top):
    done = run("--top", top, "--output", tmp_path / "out")
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (2, b"", [])
    assert b"--top" in done.stderr.splitlines()[-1] and b"Traceback" not in done.stderr
