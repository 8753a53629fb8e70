"""A short log without damage: lines, levels, components, times, error rate."""

import json

import pytest

pytestmark = pytest.mark.clause("SUMMARY")

KEYS = {"lines", "malformed", "first", "last", "levels", "components", "error_rate", "requests", "slowest"}
LOG = """\
2031-04-02T05:00:00.125Z INFO gate GET /valves/7 200 31ms
2031-04-02T05:00:01.000Z WARNING pump.3 pressure is falling
2031-04-02T05:00:02.250Z INFO gate opened by hand
2031-04-02T05:00:04.500Z ERROR gate jammed halfway
2031-04-02T05:00:09.000Z INFO crane_2 GET /load 200 12ms
"""


def summary(cli, *args, call="a log without damage", **more):
    """The summary on standard output."""
    run = cli(*args, **more)
    assert run.exit_code == 0, f"expected exit status 0 for {call}; got {run.exit_code}"
    try:
        document = json.loads(run.stdout)
    except ValueError:
        raise AssertionError(f"expected one JSON document on standard output; got {run.stdout[:80]!r}") from None
    assert isinstance(document, dict), f"expected a JSON object; got {run.stdout[:80]!r}"
    missing = sorted(KEYS - document.keys())
    assert not missing, f"expected {', '.join(missing)} in the summary; got {', '.join(sorted(document))}"
    return document


def expect(got, expected, what):
    """Fail unless a part of the summary is what was expected."""
    assert got == expected, f"expected {expected!r} for {what}; got {got!r}"


@pytest.mark.group("plain")
@pytest.mark.advice(
    "Begin levels with all five at 0. Count each well-formed line by level and component, ERROR and CRITICAL also "
    "as errors, and print only the JSON."
)
def test_lines_levels_components(cli):
    """Lines, levels and components are counted, and all five levels are reported."""
    document = summary(cli, "harbour.log", files={"harbour.log": LOG})
    expect((document["lines"], document["malformed"]), (5, 0), "lines, malformed of five valid lines")
    levels = {"DEBUG": 0, "INFO": 3, "WARNING": 1, "ERROR": 1, "CRITICAL": 0}
    expect(document["levels"], levels, "levels of 3 INFO, 1 WARNING, 1 ERROR")
    components = {
        "gate": {"lines": 3, "errors": 1},
        "pump.3": {"lines": 1, "errors": 0},
        "crane_2": {"lines": 1, "errors": 0},
    }
    expect(document["components"], components, "components")


@pytest.mark.group("plain")
@pytest.mark.advice(
    "Keep TIME as the text in the log. Divide the ERROR and CRITICAL lines by all well-formed lines, without "
    "round(), and print only the JSON."
)
def test_times_and_error_rate(cli):
    """first and last are as written; error_rate is not rounded."""
    more = "2031-04-02T05:00:10.000Z CRITICAL crane_2 hook lost\n2031-04-02T05:00:11.000Z DEBUG crane_2 ok\n"
    document = summary(cli, "harbour.log", files={"harbour.log": LOG + more})
    expect(document["first"], "2031-04-02T05:00:00.125Z", "first")
    expect(document["last"], "2031-04-02T05:00:11.000Z", "last")
    rate = document["error_rate"]
    is_right = isinstance(rate, int | float) and abs(rate - 2 / 7) < 1e-9
    assert is_right, f"expected error_rate {2 / 7} for 1 ERROR and 1 CRITICAL among 7 valid lines; got {rate!r}"


@pytest.mark.group("slowest")
@pytest.mark.clause("A REQUEST", "SUMMARY")
@pytest.mark.advice("Count each line whose whole message is METHOD PATH STATUS DURATION, of any level.")
def test_requests_are_found(cli):
    """Requests are counted."""
    document = summary(cli, "harbour.log", files={"harbour.log": LOG})
    expect(document["requests"], 2, "requests of a log with two")


@pytest.mark.group("slowest")
@pytest.mark.clause("A REQUEST", "SUMMARY")
@pytest.mark.advice(
    "List ms, time, component, request (METHOD PATH) and status of each request; ms and status are numbers."
)
def test_what_is_listed_of_a_request(cli):
    """The slowest request is listed with ms, time, component, request and status."""
    document = summary(cli, "harbour.log", files={"harbour.log": LOG})
    time = "2031-04-02T05:00:00.125Z"
    slowest = {"ms": 31, "time": time, "component": "gate", "request": "GET /valves/7", "status": 200}
    expect(document["slowest"][:1], [slowest], "the first of slowest")


@pytest.mark.group("plain")
@pytest.mark.clause("RUN", "SUMMARY")
@pytest.mark.advice(
    "When all is counted, open PATH with mode 'w', which replaces the old content, and json.dump the summary into "
    "it. Return 0."
)
def test_output_goes_to_a_file(cli):
    """With --output, the summary goes to that file and replaces what was there."""
    files = {"harbour.log": LOG, "report.json": '{"old": true, "and": "longer than what comes"}' * 40}
    run = cli("--output", "report.json", "harbour.log", files=files)
    assert run.exit_code == 0, f"expected exit status 0 for a valid log with --output; got {run.exit_code}"
    document = run.json("report.json")
    assert isinstance(document, dict), f"expected a JSON object in the output file; got {document!r}"
    expect(document.get("lines"), 5, "lines in the output file, which held another summary before")


@pytest.mark.group("plain")
@pytest.mark.clause("RUN")
@pytest.mark.advice("Without any FILE, run the loop that counts over sys.stdin.buffer, and print nothing but the JSON.")
def test_standard_input(cli):
    """Without a file, the log is read from standard input."""
    document = summary(cli, stdin=LOG)
    expect((document["lines"], document["malformed"]), (5, 0), "lines, malformed of a log on standard input")


@pytest.mark.group("fine_print")
@pytest.mark.advice("Write exactly the keys of the contract, no more, at each level of the summary.")
def test_no_other_keys(cli):
    """The summary and its parts have exactly the keys of the contract."""
    document = summary(cli, "harbour.log", files={"harbour.log": LOG})
    expect(sorted(document), sorted(KEYS), "the keys of the summary")
    assert isinstance(document["components"], dict), (
        f"expected an object for components; got {document['components']!r}"
    )
    for counts in document["components"].values():
        expect(sorted(counts), ["errors", "lines"], "the keys of a component")
    for entry in document["slowest"]:
        expect(sorted(entry), ["component", "ms", "request", "status", "time"], "the keys of a listed request")


@pytest.mark.group("fine_print")
@pytest.mark.advice(
    "Keep the least and the greatest TIME of all well-formed lines; compared as text they are in order."
)
def test_times_out_of_order(cli):
    """Lines need not be in order of time."""
    lines = LOG.splitlines(keepends=True)
    text = "".join([*lines[2:4], lines[0], lines[4], lines[1]])
    document = summary(cli, "harbour.log", files={"harbour.log": text})
    expect(document["first"], "2031-04-02T05:00:00.125Z", "first, where the earliest line is the third")
    expect(document["last"], "2031-04-02T05:00:09.000Z", "last, where the latest line is the fourth of five")


@pytest.mark.group("fine_print")
@pytest.mark.advice("Of equal durations the one read first comes first; its TIME doesn't matter.")
def test_equal_durations_out_of_order(cli):
    """Of equal durations, the earlier line in the log comes first."""
    lines = [f"2031-04-02T05:00:0{second}.000Z INFO gate GET /{second} 200 31ms\n" for second in (7, 2, 5)]
    document = summary(cli, "harbour.log", files={"harbour.log": "".join(lines)})
    listed = [entry["request"] for entry in document["slowest"]]
    expect(
        listed, ["GET /7", "GET /2", "GET /5"], "slowest of three equal durations at second 7, 2 and 5, in this order"
    )


@pytest.mark.group("fine_print")
@pytest.mark.advice("Where no line is well-formed, let first, last and error_rate be null instead of dividing by 0.")
def test_an_empty_log(cli):
    """An empty log has counts of 0 and no times."""
    document = summary(cli, "empty.log", files={"empty.log": ""}, call="an empty log")
    counts = [document[key] for key in ("lines", "malformed", "requests")]
    expect(counts, [0, 0, 0], "lines, malformed, requests of an empty log")
    expect((document["components"], document["slowest"]), ({}, []), "components, slowest of an empty log")
    times = [document[key] for key in ("first", "last", "error_rate")]
    expect(times, [None, None, None], "first, last, error_rate of an empty log")


@pytest.mark.group("fine_print")
@pytest.mark.clause("RUN")
@pytest.mark.advice("Go through all FILEs in one loop with one set of counts; one that is given twice is read twice.")
def test_several_files(cli):
    """Several files are one log, and a file given twice is read twice."""
    early = "2031-04-01T23:59:59.999Z CRITICAL Gate lost"
    files = {"b.log": LOG, "a.log": early}
    document = summary(cli, "b.log", "a.log", "--top", "2", "b.log", files=files)
    call = "b.log a.log --top 2 b.log"
    expect((document["lines"], document["requests"]), (11, 4), f"lines, requests for {call}")
    expect(document["first"], "2031-04-01T23:59:59.999Z", f"first for {call}, where the earliest line is in a.log")
    expect(document["components"].get("Gate"), {"lines": 1, "errors": 1}, "component Gate, beside gate")
    expect([entry["ms"] for entry in document["slowest"]], [31, 31], f"ms of slowest for {call}")


@pytest.mark.group("fine_print")
@pytest.mark.clause("RUN", "SUMMARY")
@pytest.mark.advice("Count positions across all files, in the order of the command line.")
def test_files_in_the_order_given(cli):
    """Files are read in order: of equal durations, the earlier file's comes first."""
    text = "2031-04-02T05:00:00.000Z INFO gate GET /{} 200 31ms\n"
    files = {f"{name}.log": text.format(name) for name in "abc"}
    document = summary(cli, "c.log", "a.log", "b.log", files=files)
    listed = [entry["request"] for entry in document["slowest"]]
    expect(listed, ["GET /c", "GET /a", "GET /b"], "slowest of three equal durations in c.log a.log b.log")


@pytest.mark.group("fine_print")
@pytest.mark.clause("A LINE")
@pytest.mark.advice("Take one LF, and a CR before it, off the end of a line; skip it if nothing but spaces is left.")
def test_line_ends_and_blank_lines(cli):
    """Lines end in CRLF or LF, blank lines don't count, the last may lack its end."""
    text = "\r\n   \r\n" + LOG.replace("\n", "\r\n\r\n").rstrip("\r\n")
    document = summary(cli, "harbour.log", files={"harbour.log": text})
    counts = (document["lines"], document["malformed"])
    expect(counts, (5, 0), "lines, malformed of five lines ended by CRLF between blank ones, the last without an end")
    expect(document["requests"], 2, "requests, where lines end in CRLF")


@pytest.mark.group("fine_print")
@pytest.mark.clause("A LINE")
@pytest.mark.advice(
    "Split lines at LF alone, by iterating over a file opened in binary; no splitlines(), and no strip() on messages."
)
def test_odd_characters_in_messages(cli):
    """A message may hold form feeds, line separators, tabs and trailing spaces."""
    odd = ["a\x0cb", "a\x85b \x1c c", "a\u2028b", "Größe 鍛冶 🔥", "tab\there  and spaces  "]
    lines = [f"2031-04-02T05:00:00.000Z INFO gate {words}\n" for words in odd]

    def counts(text):
        document = summary(cli, "harbour.log", files={"harbour.log": text}, call="odd characters in messages")
        return document["lines"], document["malformed"]

    if counts("".join(lines)) != (len(odd), 0):
        wrong = [words for words, line in zip(odd, lines, strict=True) if counts(line) != (1, 0)]
        raise AssertionError(
            f"expected each of {len(odd)} odd messages to be one valid line; it is not: {wrong or odd}"
        )


@pytest.mark.group("fine_print")
@pytest.mark.clause("A LINE", "SUMMARY")
@pytest.mark.advice(
    "Read the level from the second field alone, and let a component be any of letters, digits, . - and _."
)
def test_levels_in_messages_and_signs_in_components(cli):
    """Level names in messages don't count; components may begin with any sign."""
    lines = [
        ("INFO", "gate", "no ERROR today, CRITICAL or not"),
        ("WARNING", "-pump", "DEBUG off"),
        ("DEBUG", "_", "ERROR"),
        ("ERROR", ".crane-", "all fine, says INFO"),
    ]
    text = "".join(f"2031-04-02T05:00:00.000Z {' '.join(line)}\n" for line in lines)
    document = summary(cli, "harbour.log", files={"harbour.log": text}, call="level names in messages")
    levels = {"DEBUG": 1, "INFO": 1, "WARNING": 1, "ERROR": 1, "CRITICAL": 0}
    expect(document["levels"], levels, f"levels of {[' '.join(line) for line in lines]}")
    expect(sorted(document["components"]), ["-pump", ".crane-", "_", "gate"], "the components of these lines")
