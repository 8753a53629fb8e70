"""What the contract promises, tried on the command itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
T0, T1 = "2031-04-02T05:00:00.125Z", "2031-04-02T05:00:01.000Z"


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Run the program, wherever this project keeps it (a module or a package of that name), beside these files."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def run(*arguments, stdin="", **files):
        for name, content in files.items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        command = [sys.executable, "-m", "log_leviathan", *map(str, arguments)]
        stdin = stdin if isinstance(stdin, bytes) else stdin.encode()
        return subprocess.run(command, cwd=tmp_path, input=stdin, capture_output=True, timeout=20)

    return run


@pytest.fixture
def told(call):
    """The summary of a log, read from standard input unless files are named."""

    def run(text, *arguments, **files):
        done = call(*arguments, stdin=text, **files)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def line(message, level="INFO", component="gate", time=T0):
    return f"{time} {level} {component} {message}\n"


LOG = (
    line("GET /a 200 31ms", time=T1)
    + line("gone", "CRITICAL", "pump")
    + line("stuck", "ERROR")
    + line("slow", "WARNING")
    + line("calm", "DEBUG")
    + line("PUT /b?c 503 7ms", "INFO", "Gate")
    + line("open")
)
SUMMARY = {
    "lines": 8,
    "malformed": 1,
    "first": T0,
    "last": T1,
    "levels": {"DEBUG": 1, "INFO": 3, "WARNING": 1, "ERROR": 1, "CRITICAL": 1},
    "components": {
        "gate": {"lines": 5, "errors": 1},
        "pump": {"lines": 1, "errors": 1},
        "Gate": {"lines": 1, "errors": 0},
    },
    "error_rate": pytest.approx(2 / 7, rel=1e-9),
    "requests": 2,
    "slowest": [
        {"ms": 31, "time": T1, "component": "gate", "request": "GET /a", "status": 200},
        {"ms": 7, "time": T0, "component": "Gate", "request": "PUT /b?c", "status": 503},
    ],
}


def test_a_whole_summary(told):
    assert told(LOG + "damaged\n") == SUMMARY


def test_line_ends_and_blank_lines(told):
    text = "\r\n  \n" + (LOG + "damaged").replace("\n", "\r\n\n   \r\n")
    assert told(text) == SUMMARY


def test_only_lf_and_crlf_end_a_line(told):
    odd = ["a\x0cb", "a\x1cb", "a\x85b", "a\u2028b", "Größe 🔥", "tab\tand space "]
    summary = told("".join(line(words) for words in odd))
    assert (summary["lines"], summary["malformed"]) == (len(odd), 0)


def test_a_level_that_did_not_occur_is_0(told):
    summary = told(line("late", time=T1) + line("early", time=T0))
    assert summary["levels"] == {"DEBUG": 0, "INFO": 2, "WARNING": 0, "ERROR": 0, "CRITICAL": 0}
    assert (summary["first"], summary["last"], summary["error_rate"]) == (T0, T1, 0)


@pytest.mark.parametrize(
    ("text", "lines"), [("", 0), ("\n  \n", 0), (f"foam\n{T0} error x y\n2031-04-02T05:00:61.000Z ERROR x y", 3)]
)
def test_without_a_well_formed_line_there_is_nothing_to_report(told, text, lines):
    assert told(text) == {
        "lines": lines,
        "malformed": lines,
        "first": None,
        "last": None,
        "levels": {"DEBUG": 0, "INFO": 0, "WARNING": 0, "ERROR": 0, "CRITICAL": 0},
        "components": {},
        "error_rate": None,
        "requests": 0,
        "slowest": [],
    }


NO_REQUESTS = """\
GET /a 200 31
GET /a 200 31 ms
GET /a 200 31ms again
GET /a 200 1.5ms
GET /a 200 -1ms
GET /a 200 ms
GET /a 20 31ms
GET /a 2000 31ms
GET a 200 31ms
get /a 200 31ms
GET /a b 200 31ms
GET  /a 200 31ms
saw GET /a 200 31ms
GET /a 200 31ms \n"""


def test_requests_and_near_misses(told):
    near = "".join(line(message) for message in NO_REQUESTS.splitlines())
    real = line("PURGE /?x=/#1 503 70ms", "CRITICAL", "A-b_c.9") + line("X / 100 0ms", "DEBUG")
    summary = told(near + real)
    assert (summary["lines"], summary["malformed"], summary["requests"]) == (16, 0, 2)
    assert [entry["request"] for entry in summary["slowest"]] == ["PURGE /?x=/#1", "X /"]


@pytest.mark.parametrize(
    ("options", "listed"),
    [
        (["--top", "0"], ""),
        (["--top", "1"], "b"),
        (["--top", "3"], "bda"),
        ([], "bdace"),
        (["--top", "9"], "bdacefg"),
    ],
)
def test_the_slowest_first_and_of_equals_the_earlier(told, options, listed):
    durations = {"a": 50, "b": 900, "c": 50, "d": 900, "e": 9, "f": 1, "g": 0}
    summary = told("".join(line(f"GET /{name} 200 {ms}ms") for name, ms in durations.items()), *options)
    assert [entry["request"] for entry in summary["slowest"]] == [f"GET /{name}" for name in listed]
    assert summary["requests"] == 7


MALFORMED = [
    "words",
    "2031-04-02T05:00:00.125Z INFO gate",
    "2031-04-02T05:00:00.125Z INFO gate ",
    "2031-04-02T05:00:00.125Z INFO gate  two",
    "2031-04-02T05:00:00.125Z INFO  gate two",
    "2031-04-02T05:00:00.125Z  INFO gate two",
    " 2031-04-02T05:00:00.125Z INFO gate before",
    "2031-04-02T05:00:00.125Z info gate small",
    "2031-04-02T05:00:00.125Z FATAL gate unknown",
    "2031-04-02T05:00:00.125Z INFO ga/te sign",
    "2031-04-02T05:00:00.125Z INFO größe letters",
    "2031-04-02T05:00:00Z INFO gate no milliseconds",
    "2031-04-02T05:00:00.1Z INFO gate one digit",
    "2031-04-02T05:00:00.125 INFO gate no zone",
    "2031-04-02T05:00:00.125+00:00 INFO gate offset",
    "2031-4-2T5:00:00.125Z INFO gate no zeros",
    "2031-02-29T05:00:00.000Z INFO gate day",
    "2100-02-29T05:00:00.000Z INFO gate day",
    "2031-04-31T05:00:00.000Z INFO gate day",
    "2031-04-00T05:00:00.000Z INFO gate day",
    "2031-13-01T05:00:00.000Z INFO gate month",
    "2031-00-01T05:00:00.000Z INFO gate month",
    "2031-04-02T24:00:00.000Z INFO gate hour",
    "2031-04-02T05:60:00.000Z INFO gate minute",
    "2031-04-02T05:00:60.000Z INFO gate second",
]


def test_malformed_lines_cost_only_themselves(told):
    bad = [*(text.encode() for text in MALFORMED), b"2031-04-02T05:00:00.125Z INFO gate \xff", b"\x80\x81"]
    text = LOG.encode() + b"\n".join([*bad, b""])
    assert told(text) == {**SUMMARY, "lines": 7 + len(bad), "malformed": len(bad)}


def test_leap_days_exist(told):
    days = ("2032-02-29T23:59:59.999Z", "2000-02-29T00:00:00.000Z")
    summary = told("".join(line("leap", time=day) for day in days))
    assert (summary["malformed"], summary["first"], summary["last"]) == (0, days[1], days[0])


def test_files_are_one_log_in_the_order_given(told):
    files = {name: line(f"GET /{name} 200 9ms") for name in "abc"}
    summary = told(LOG, "c", "--top", "4", "a", "b", "a", **files)
    assert [entry["request"] for entry in summary["slowest"]] == ["GET /c", "GET /a", "GET /b", "GET /a"]
    assert summary["lines"] == 4


def test_a_summary_goes_to_a_file(call, tmp_path):
    assert call("--output", "out.json", "a.log", **{"a.log": LOG + "damaged", "out.json": "old" * 999}).returncode == 0
    assert json.loads((tmp_path / "out.json").read_text()) == SUMMARY


def test_what_cannot_be_read_is_named_and_an_earlier_summary_survives(call, tmp_path):
    (tmp_path / "folder").mkdir()
    files = {"a.log": LOG, "out.json": "old"}
    check_refusal(call("a.log", "lost.log", **files), 1, "lost.log")
    for fault in ("lost.log", "folder"):
        check_refusal(call("a.log", fault, "--output", "out.json", **files), 1, fault)
        assert (tmp_path / "out.json").read_text() == "old"


def test_a_place_that_does_not_exist_is_named(call, tmp_path):
    check_refusal(call("a.log", "--output", "nowhere/out.json", **{"a.log": LOG}), 1, "nowhere")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("top", ["-1", "x", "1.5"])
def test_a_senseless_top_is_refused(call, tmp_path, top):
    check_refusal(call("--top", top, "a.log", "--output", "out.json", **{"a.log": LOG}), 2, "--top")
    assert not (tmp_path / "out.json").exists()


MEASURED = """\
import runpy, sys, tracemalloc
tracemalloc.start()
try:
    runpy.run_module("log_leviathan", run_name="__main__", alter_sys=True)
finally:
    print(tracemalloc.get_traced_memory()[1], file=sys.stderr)
"""


def peak(folder, source, count):
    """The most memory that was in use while a log of this many lines of each kind was read."""
    forms = line("{} {}") + line("GET /{}{} 200 31ms") + "foam {} {}\n"
    text = "".join(forms.format(*["the-tide-is-rising" * 90, number] * 3) for number in range(count))
    (folder / "long.log").write_text(text)
    command = [sys.executable, "-c", MEASURED, *(["long.log"] if source == "file" else [])]
    done = subprocess.run(command, cwd=folder, input=text.encode(), capture_output=True, timeout=20)
    told = json.loads(done.stdout)
    assert (told["lines"], told["requests"]) == (3 * count, count)
    return int(done.stderr)


@pytest.mark.parametrize("source", ["file", "stdin"])
def test_memory_does_not_grow_with_the_log(tmp_path, monkeypatch, source):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert peak(tmp_path, source, 500) < peak(tmp_path, source, 10) + 400_000


def check_refusal(done, status, culprit):
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (status, b"")
    assert culprit in said
    assert "Traceback" not in said
