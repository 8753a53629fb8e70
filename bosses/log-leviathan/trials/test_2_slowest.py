"""The list of slowest requests: order, ties, how many, and what is a request at all."""

import json

import pytest

pytestmark = pytest.mark.clause("SUMMARY")


def line(number, message, level="INFO", component="gate"):
    """A well-formed line; its second is its number."""
    return f"2031-04-02T05:{number // 60:02}:{number % 60:02}.000Z {level} {component} {message}\n"


def slowest(cli, text, *options):
    """The slowest requests, and how many there are."""
    run = cli("harbour.log", *options, files={"harbour.log": text})
    assert run.exit_code == 0, f"expected exit status 0 for {' '.join(options) or 'a valid log'}; got {run.exit_code}"
    try:
        document = json.loads(run.stdout)
        return [(entry["request"], entry["ms"]) for entry in document["slowest"]], document["requests"]
    except (ValueError, TypeError, KeyError):
        raise AssertionError(f"expected requests, and slowest with request and ms; got {run.stdout[:80]!r}") from None


def expect(got, expected, what):
    """Fail unless the list is what was expected."""
    assert got == expected, f"expected {expected!r} for {what}; got {got!r}"


@pytest.mark.group("slowest")
@pytest.mark.advice("Compare durations as numbers, int(ms), and list the greatest first.")
def test_greatest_first(cli):
    """The slowest come first, compared as numbers."""
    durations = [9, 1000, 80, 701, 200, 0]
    text = "".join(line(n, f"GET /{ms} 200 {ms}ms") for n, ms in enumerate(durations))
    found, _ = slowest(cli, text, "--top", "4")
    expect([ms for _, ms in found], [1000, 701, 200, 80], f"--top 4 of the durations {durations}")


@pytest.mark.group("slowest")
@pytest.mark.clause("RUN", "SUMMARY")
@pytest.mark.advice(
    "List min(N, requests) requests: five without --top, and none for --top 0, which is a number like any other."
)
def test_how_many(cli):
    """Five requests are listed without --top, all if there are fewer, none for 0."""
    text = "".join(line(n, f"GET /{n} 200 {n}ms") for n in range(8))
    expect(len(slowest(cli, text)[0]), 5, "the length of slowest, of 8 requests without --top")
    found, _ = slowest(cli, text, "--top", "40")
    expect([ms for _, ms in found], [7, 6, 5, 4, 3, 2, 1, 0], "--top 40 of the durations 0 to 7")
    expect(slowest(cli, text, "--top", "0"), ([], 8), "slowest and requests of 8 requests with --top 0")


@pytest.mark.group("slowest")
@pytest.mark.advice(
    "Of equal durations the earlier request comes first: rank by (ms, -position), where position counts the requests."
)
def test_equal_durations(cli):
    """Of equally slow requests, the earlier one comes first, and stays if one fits."""
    durations = [50, 90, 50, 90, 90, 50, 10]
    text = "".join(line(n, f"GET /{'zebra'[n % 5]}{n} 200 {ms}ms") for n, ms in enumerate(durations))
    expected = [("GET /e1", 90), ("GET /r3", 90), ("GET /a4", 90), ("GET /z0", 50), ("GET /b2", 50)]
    for top in (5, 1):
        found, _ = slowest(cli, text, "--top", str(top))
        expect(found, expected[:top], f"--top {top} of the durations {durations}")


@pytest.mark.group("slowest")
@pytest.mark.clause("A REQUEST")
@pytest.mark.advice(
    "Match the whole message with one pattern, as it is in the line: fullmatch, without a strip() before it."
)
def test_near_misses(cli):
    """Any method, status and level make a request; near misses don't."""
    close = [
        "GET /a 200 31 ms",
        "GET /a 200 31ms.",
        "GET /a 200 1.5ms",
        "GET /a 20 31ms",
        "GET /a 2000 31ms",
        "GET a 200 31ms",
        "get /a 200 31ms",
        "GET /a /b 200 31ms",
        "GET  /a 200 31ms",
        "GET /a 200 31ms again",
        "saw GET /a 200 31ms",
        "GET /a 200 31ms ",
        "GET /a 200 -31ms",
        "GET /a 200 ms",
    ]
    sound = line(40, "PURGE /a?b=c#d 503 70ms", "CRITICAL", "A-b_c.9") + line(41, "X / 100 9ms", "DEBUG")
    sound += line(42, "GET /late 007 0ms", "INFO")
    found, count = slowest(cli, "".join(line(n, words) for n, words in enumerate(close)) + sound)
    if count != 3:
        accepted = [words for words in close if slowest(cli, line(0, words))[1]]
        assert not accepted, f"expected no request in these messages; counted: {accepted}"
    words = "a CRITICAL line 'PURGE /a?b=c#d 503 70ms', a DEBUG line 'X / 100 9ms' and an INFO line 'GET /late 007 0ms'"
    expect(count, 3, f"requests of {words}")
    expect(found, [("PURGE /a?b=c#d", 70), ("X /", 9), ("GET /late", 0)], "slowest of these three")
