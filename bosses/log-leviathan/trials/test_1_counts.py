"""A short log without damage: lines, levels, components, times, error rate."""

import json

import pytest

KEYS = {"lines", "malformed", "first", "last", "levels", "components", "error_rate", "requests", "slowest"}
LOG = """\
2031-04-02T05:00:00.125Z INFO gate GET /valves/7 200 31ms
2031-04-02T05:00:01.000Z WARNING pump.3 pressure is falling
2031-04-02T05:00:02.250Z INFO gate opened by hand
2031-04-02T05:00:04.500Z ERROR gate jammed halfway
2031-04-02T05:00:09.000Z INFO crane_2 GET /load 200 12ms
"""


def summary(cli, *args, said="A log without damage", **more):
    """The summary on standard output."""
    run = cli(*args, **more)
    assert run.exit_code == 0, f"{said} must end with exit status 0."
    try:
        told = json.loads(run.stdout)
    except ValueError:
        raise AssertionError("Standard output must hold one JSON document and nothing else.") from None
    assert isinstance(told, dict), "The summary is a JSON object."
    missing = sorted(KEYS - told.keys())
    assert not missing, f"The summary lacks {', '.join(missing)}."
    return told


@pytest.mark.group("plain")
def test_lines_levels_components(cli):
    """Lines, levels and components are counted, and all five levels are told."""
    told = summary(cli, "harbour.log", files={"harbour.log": LOG})
    assert (told["lines"], told["malformed"]) == (5, 0), "All lines but the blank ones count; none here is malformed."
    levels = {"DEBUG": 0, "INFO": 3, "WARNING": 1, "ERROR": 1, "CRITICAL": 0}
    assert told["levels"] == levels, "levels holds all five levels, with 0 for those that did not occur."
    components = {
        "gate": {"lines": 3, "errors": 1},
        "pump.3": {"lines": 1, "errors": 0},
        "crane_2": {"lines": 1, "errors": 0},
    }
    assert told["components"] == components, "components holds lines and errors for each component that occurred."


@pytest.mark.group("plain")
def test_times_and_error_rate(cli):
    """First and last time are told as they are written; the rate is the share of ERROR and CRITICAL, not rounded."""
    more = "2031-04-02T05:00:10.000Z CRITICAL crane_2 hook lost\n2031-04-02T05:00:11.000Z DEBUG crane_2 ok\n"
    told = summary(cli, "harbour.log", files={"harbour.log": LOG + more})
    assert told["first"] == "2031-04-02T05:00:00.125Z", "first is the earliest TIME, as it is written in the log."
    assert told["last"] == "2031-04-02T05:00:11.000Z", "last is the latest TIME, as it is written in the log."
    rate = told["error_rate"]
    assert isinstance(rate, int | float), "error_rate is a number where there are lines."
    assert abs(rate - 2 / 7) < 1e-9, "error_rate is ERROR plus CRITICAL over all well-formed lines, not rounded."


@pytest.mark.group("plain")
def test_requests_are_found(cli):
    """Requests are counted."""
    told = summary(cli, "harbour.log", files={"harbour.log": LOG})
    assert told["requests"] == 2, "requests is the number of lines whose message is a request."


@pytest.mark.group("slowest")
def test_what_is_listed_of_a_request(cli):
    """The slowest request is listed with its duration, time, component, request and status."""
    told = summary(cli, "harbour.log", files={"harbour.log": LOG})
    time = "2031-04-02T05:00:00.125Z"
    slowest = {"ms": 31, "time": time, "component": "gate", "request": "GET /valves/7", "status": 200}
    assert told["slowest"][:1] == [slowest], "Each of slowest has ms, time, component, request and status."


@pytest.mark.group("plain")
def test_output_goes_to_a_file(cli):
    """With --output the summary goes to that file, and replaces what was there."""
    files = {"harbour.log": LOG, "told.json": '{"old": true, "and": "longer than what comes"}' * 40}
    run = cli("--output", "told.json", "harbour.log", files=files)
    assert run.exit_code == 0, "A sound log with --output ends with exit status 0."
    told = run.json("told.json")
    assert isinstance(told, dict), "The summary is a JSON object."
    assert told.get("lines") == 5, "The file holds the summary, and nothing of before."


@pytest.mark.group("plain")
def test_standard_input(cli):
    """Without a file the log is read from standard input."""
    told = summary(cli, stdin=LOG)
    assert (told["lines"], told["requests"]) == (5, 2), "Without any FILE the log is standard input."


@pytest.mark.group("fine_print")
def test_no_other_keys(cli):
    """The summary and its parts have exactly the keys of the contract."""
    told = summary(cli, "harbour.log", files={"harbour.log": LOG})
    assert set(told) == KEYS, "The summary has exactly the keys of the contract."
    assert isinstance(told["components"], dict), "components is an object."
    for counts in told["components"].values():
        assert set(counts) == {"lines", "errors"}, "A component has lines and errors, and nothing else."
    for entry in told["slowest"]:
        keys = {"ms", "time", "component", "request", "status"}
        assert set(entry) == keys, "A listed request has ms, time, component, request and status, and nothing else."


@pytest.mark.group("fine_print")
def test_times_out_of_order(cli):
    """Lines need not stand in the order of time."""
    lines = LOG.splitlines(keepends=True)
    told = summary(cli, "harbour.log", files={"harbour.log": "".join([*lines[2:4], lines[0], lines[4], lines[1]])})
    assert told["first"] == "2031-04-02T05:00:00.125Z", "first is the earliest TIME, wherever its line stands."
    assert told["last"] == "2031-04-02T05:00:09.000Z", "last is the latest TIME, wherever its line stands."


@pytest.mark.group("fine_print")
def test_an_empty_log(cli):
    """A log without a line has counts of 0 and nothing to tell of time."""
    told = summary(cli, "empty.log", files={"empty.log": ""}, said="An empty log")
    assert (told["lines"], told["malformed"], told["requests"]) == (0, 0, 0), "In an empty log all counts are 0."
    assert (told["components"], told["slowest"]) == ({}, []), "An empty log has no component and no request."
    assert told["first"] is told["last"] is told["error_rate"] is None, "Without lines first, last and rate are null."


@pytest.mark.group("fine_print")
def test_several_files(cli):
    """Several files are one log, and a file given twice is read twice."""
    early = "2031-04-01T23:59:59.999Z CRITICAL Gate lost"
    files = {"b.log": LOG, "a.log": early}
    told = summary(cli, "b.log", "a.log", "--top", "2", "b.log", files=files)
    assert (told["lines"], told["requests"]) == (11, 4), "All files count together, one given twice counts twice."
    assert told["first"] == "2031-04-01T23:59:59.999Z", "first is the earliest TIME of all files."
    assert told["components"].get("Gate") == {"lines": 1, "errors": 1}, "Upper and lower case tell components apart."
    assert [entry["ms"] for entry in told["slowest"]] == [31, 31], "The slowest are looked for in all files."


@pytest.mark.group("fine_print")
def test_files_in_the_order_given(cli):
    """Files are read in the order given: of equal durations, the one in the earlier file comes first."""
    text = "2031-04-02T05:00:00.000Z INFO gate GET /{} 200 31ms\n"
    files = {f"{name}.log": text.format(name) for name in "abc"}
    told = summary(cli, "c.log", "a.log", "b.log", files=files)
    listed = [entry["request"] for entry in told["slowest"]]
    assert listed == ["GET /c", "GET /a", "GET /b"], "Read the files in the order given, not sorted by name."


@pytest.mark.group("fine_print")
def test_line_ends_and_blank_lines(cli):
    """CRLF ends a line like LF, blank lines do not count, and the last line may lack its end."""
    text = "\r\n   \r\n" + LOG.replace("\n", "\r\n\r\n").rstrip("\r\n")
    told = summary(cli, "harbour.log", files={"harbour.log": text})
    assert (told["lines"], told["malformed"]) == (5, 0), "Blank lines do not count, and CRLF is a line end like LF."
    assert told["requests"] == 2, "The CR of a line end is no part of the message."


@pytest.mark.group("fine_print")
def test_odd_characters_in_messages(cli):
    """A message may hold anything: form feeds, line separators, tabs, letters of any alphabet, spaces at its end."""
    odd = ["a\x0cb", "a\x85b \x1c c", "a\u2028b", "Größe 鍛冶 🔥", "tab\there  and spaces  "]
    text = "".join(f"2031-04-02T05:00:0{n}.000Z INFO gate {words}\n" for n, words in enumerate(odd))
    told = summary(cli, "harbour.log", files={"harbour.log": text})
    assert told["lines"] == len(odd), "Only LF and CRLF end a line; other separators belong to the message."
    assert told["malformed"] == 0, "The rest of the line is the message, whatever it holds."
