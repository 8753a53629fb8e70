"""Tests of the whole program; those of the command line run it in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from log_leviathan import summarise

HERE = Path(__file__).resolve().parent
FINE = "2031-04-02T05:00:00.125Z INFO gate fine"


def told(*lines, top=5):
    return summarise((line if isinstance(line, bytes) else f"{line}\n".encode() for line in lines), top)


def run(*arguments):
    command = [sys.executable, str(HERE / "log_leviathan.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=20)


def test_everything_at_once():
    assert told(
        "2031-04-02T05:00:07.000Z ERROR gate GET /valves/7 500 31ms",
        "damaged",
        "2031-04-02T05:00:01.000Z INFO pump.3 fine",
        "2031-04-02T05:00:09.000Z WARNING gate slow",
    ) == {
        "lines": 4,
        "malformed": 1,
        "first": "2031-04-02T05:00:01.000Z",
        "last": "2031-04-02T05:00:09.000Z",
        "levels": {"DEBUG": 0, "INFO": 1, "WARNING": 1, "ERROR": 1, "CRITICAL": 0},
        "components": {"gate": {"lines": 2, "errors": 1}, "pump.3": {"lines": 1, "errors": 0}},
        "error_rate": 0.25,
        "requests": 1,
        "slowest": [
            {"ms": 31, "time": "2031-04-02T05:00:07.000Z", "component": "gate", "request": "GET /valves/7", "status": 500}
        ],
    }


@pytest.mark.parametrize("good, bad, rate", [(0, 0, 1.0), (1, 0, 0.5), (0, 1, 0.5), (1, 2, 0.25)])
def test_error_rate_is_the_share_of_all_lines(good, bad, rate):
    assert told(FINE.replace("INFO", "CRITICAL"), *[FINE] * good, *["damaged"] * bad)["error_rate"] == rate


@pytest.mark.parametrize("lines", [[], ["", "  "], ["damaged"]])
def test_no_rate_without_sound_lines(lines):
    summary = told(*lines)
    assert [summary[key] for key in ("first", "last", "error_rate")] == [None, None, None]


@pytest.mark.parametrize(
    "line, wrong",
    [
        (FINE.replace("04-02", "04-31"), "day"),
        (FINE.replace("T05", "T24"), "hour"),
        (FINE.replace(":00.", ":60."), "second"),
        (FINE.replace(".125", ".12"), "milliseconds"),
        (FINE.replace("Z", ""), "no Z"),
        (FINE.replace("INFO", "Info"), "level"),
        (FINE.replace("gate", "g@te"), "component"),
        (FINE.replace(" gate", "  gate"), "two spaces"),
        (FINE.replace("fine", " fine"), "space before the message"),
        (FINE.replace("fine", ""), "no message"),
        (FINE.encode() + b"\xa0\n", "bytes"),
    ],
)
def test_damaged(line, wrong):
    summary = told(line, FINE)
    assert (summary["lines"], summary["malformed"], summary["levels"]["INFO"]) == (2, 1, 1), wrong


@pytest.mark.parametrize("message", ["Get / 200 1ms", "GET a 200 1ms", "GET / 2x0 1ms", "GET / 200 1 ms", "GET / 200 ms", "GET / 200 1ms "])
def test_close_to_a_request(message):
    summary = told(FINE.replace("fine", message))
    assert (summary["malformed"], summary["requests"]) == (0, 0)


@pytest.mark.parametrize("top, order", [(0, ""), (1, "c"), (3, "cbd"), (5, "cbdae")])
def test_slowest(top, order):
    durations = {"a": 1, "b": 20, "c": 100, "d": 20, "e": 1}
    summary = told(*(FINE.replace("fine", f"GET /{name} 200 {ms}ms") for name, ms in durations.items()), top=top)
    assert "".join(slow["request"][-1] for slow in summary["slowest"]) == order


def test_form_feed_and_crlf():
    assert told(FINE.encode() + b"\x0c\xe2\x80\xa8 on\r\n")["lines"] == 1


def test_files_and_output(tmp_path):
    log, out = tmp_path / "log", tmp_path / "out"
    log.write_text(FINE)
    done = run(log, "--output", out, log)
    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads(out.read_text())["lines"] == 2


def test_refusals(tmp_path):
    log = tmp_path / "log"
    log.write_text(FINE)
    for arguments, status, culprit in [
        ([log, tmp_path / "absent"], 1, "absent"),
        ([log, tmp_path], 1, str(tmp_path)),
        ([log, "--output", tmp_path / "no" / "out"], 1, "out"),
        ([log, "--top", "-2"], 2, "--top"),
        ([log, "--top", "two"], 2, "--top"),
    ]:
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (status, "")
        assert culprit in done.stderr and "Traceback" not in done.stderr
