"""From one line to the whole command."""

import io
import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import log_leviathan
from log_leviathan import Entry, Request, main, parse_line, parse_request, summarise

T0, T1 = "2031-04-02T05:00:00.125Z", "2031-04-02T05:00:01.000Z"


def test_a_line_is_taken_apart():
    assert parse_line(f"{T0} ERROR pump.3 it  burns: ß".encode()) == Entry(T0, "ERROR", "pump.3", None)


def test_a_request_is_recognised():
    entry = parse_line(f"{T0} INFO gate GET /a?b 503 31ms".encode())
    assert entry == Entry(T0, "INFO", "gate", Request(31, "GET /a?b", 503))


@pytest.mark.parametrize(
    "message",
    ["GET /a 200 31", "GET /a 200 31ms ", "get /a 200 31ms", "GET a 200 31ms", "GET /a b 200 31ms", "GET /a 20 31ms"],
)
def test_near_misses_are_no_requests(message):
    assert parse_request(message) is None


@pytest.mark.parametrize(
    "line",
    [
        b"words",
        b"2031-04-02T05:00:00Z INFO gate no milliseconds",
        b"2031-02-30T05:00:00.000Z INFO gate no such day",
        b"2031-04-02T05:00:60.000Z INFO gate no such second",
        b"2031-04-02T05:00:00.000Z info gate small letters",
        b"2031-04-02T05:00:00.000Z INFO ga/te slash",
        b"2031-04-02T05:00:00.000Z INFO gate  two spaces",
        b"2031-04-02T05:00:00.000Z INFO gate",
        b"2031-04-02T05:00:00.000Z INFO gate \xff no text",
    ],
)
def test_malformed_lines(line):
    assert parse_line(line) is None
    assert summarise([line]).as_json()["malformed"] == 1


def test_a_whole_summary():
    lines = [
        f"{T1} INFO gate GET /a 200 31ms\r\n".encode(),
        b"\n",
        b"   \r\n",
        b"damaged\n",
        f"{T0} CRITICAL pump gone\n".encode(),
        f"{T0} ERROR gate stuck\n".encode(),
        f"{T0} DEBUG gate calm".encode(),
    ]
    assert summarise(lines).as_json() == {
        "lines": 5,
        "malformed": 1,
        "first": T0,
        "last": T1,
        "levels": {"DEBUG": 1, "INFO": 1, "WARNING": 0, "ERROR": 1, "CRITICAL": 1},
        "components": {"gate": {"lines": 3, "errors": 1}, "pump": {"lines": 1, "errors": 1}},
        "error_rate": 0.5,
        "requests": 1,
        "slowest": [{"ms": 31, "time": T1, "component": "gate", "request": "GET /a", "status": 200}],
    }


def test_an_empty_log_has_nothing_to_tell():
    told = summarise([]).as_json()
    assert (told["lines"], told["first"], told["last"], told["error_rate"]) == (0, None, None, None)


@pytest.mark.parametrize(
    ("top", "listed"), [(0, []), (1, ["/b"]), (3, ["/b", "/d", "/a"]), (9, ["/b", "/d", "/a", "/c", "/e"])]
)
def test_the_slowest_first_and_of_equals_the_earlier(top, listed):
    durations = {"a": 5, "b": 9, "c": 5, "d": 9, "e": 1}
    lines = [f"{T0} INFO gate GET /{name} 200 {ms}ms\n".encode() for name, ms in durations.items()]
    told = summarise(lines, top).as_json()
    assert [entry["request"] for entry in told["slowest"]] == [f"GET {path}" for path in listed]
    assert told["requests"] == 5


def run(*arguments):
    return main([str(argument) for argument in arguments])


def test_files_are_one_log(tmp_path, capsys):
    log = tmp_path / "a.log"
    log.write_text(f"{T0} INFO gate opened\n")
    assert run(log, "--top", 1, log) == 0
    assert json.loads(capsys.readouterr().out)["lines"] == 2


def test_standard_input_is_the_log_where_no_file_is_given(monkeypatch, capsys):
    stdin = io.TextIOWrapper(io.BytesIO(f"{T0} INFO gate opened\n".encode() + b"\xff\n"))
    monkeypatch.setattr(log_leviathan.sys, "stdin", stdin)
    assert run() == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["lines"], told["malformed"]) == (2, 1)


def test_a_summary_goes_to_a_file(tmp_path, capsys):
    (tmp_path / "a.log").write_text("damaged\n")
    assert run(tmp_path / "a.log", "--output", tmp_path / "out.json") == 0
    assert json.loads((tmp_path / "out.json").read_text())["malformed"] == 1
    assert capsys.readouterr().out == ""


def test_a_missing_log_is_named_and_an_earlier_summary_survives(tmp_path, capsys):
    (tmp_path / "a.log").write_text("damaged\n")
    (tmp_path / "out.json").write_text("old")
    assert run(tmp_path / "a.log", tmp_path / "lost.log", "--output", tmp_path / "out.json") == 1
    captured = capsys.readouterr()
    assert "lost.log" in captured.err
    assert captured.out == ""
    assert (tmp_path / "out.json").read_text() == "old"


def test_a_place_that_does_not_exist_is_named(tmp_path, capsys):
    (tmp_path / "a.log").write_text("damaged\n")
    assert run(tmp_path / "a.log", "--output", tmp_path / "nowhere" / "out.json") == 1
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize("top", ["-1", "x", "1.5"])
def test_a_senseless_top_is_refused(top, capsys):
    with pytest.raises(SystemExit) as left:
        run("--top", top)
    assert left.value.code == 2
    assert "--top" in capsys.readouterr().err
