"""The list of slowest requests: order, ties, how many, and what is a request at all."""

import json

import pytest


def line(number, message, level="INFO", component="gate"):
    """A well-formed line; its second is its number."""
    return f"2031-04-02T05:{number // 60:02}:{number % 60:02}.000Z {level} {component} {message}\n"


def slowest(cli, text, *options):
    """The slowest requests, and how many there are."""
    run = cli("harbour.log", *options, files={"harbour.log": text})
    assert run.exit_code == 0, "A sound log must end with exit status 0."
    try:
        told = json.loads(run.stdout)
        return [(entry["request"], entry["ms"]) for entry in told["slowest"]], told["requests"]
    except (ValueError, TypeError, KeyError):
        raise AssertionError("The summary needs requests, and slowest with request and ms for each.") from None


@pytest.mark.group("slowest")
def test_greatest_first(cli):
    """The slowest come first, compared as numbers."""
    text = "".join(line(n, f"GET /{ms} 200 {ms}ms") for n, ms in enumerate([9, 1000, 80, 701, 200, 0]))
    found, _ = slowest(cli, text, "--top", "4")
    assert [ms for _, ms in found] == [1000, 701, 200, 80], "Durations are numbers; the greatest stands first."


@pytest.mark.group("slowest")
def test_how_many(cli):
    """Without --top five are listed, with fewer requests all of them, and with --top 0 none."""
    text = "".join(line(n, f"GET /{n} 200 {n}ms") for n in range(8))
    assert len(slowest(cli, text)[0]) == 5, "Without --top, N is 5."
    found, _ = slowest(cli, text, "--top", "40")
    assert [ms for _, ms in found] == [7, 6, 5, 4, 3, 2, 1, 0], "With fewer than N requests, all of them are listed."
    found, count = slowest(cli, text, "--top", "0")
    assert found == [], "0 is a number like any other: --top 0 lists nothing."
    assert count == 8, "requests counts all requests, listed or not."


@pytest.mark.group("slowest")
def test_equal_durations(cli):
    """Of equally slow requests the earlier one comes first, and stays where only one can."""
    durations = [50, 90, 50, 90, 90, 50, 10]
    text = "".join(line(n, f"GET /{'zebra'[n % 5]}{n} 200 {ms}ms") for n, ms in enumerate(durations))
    found, _ = slowest(cli, text, "--top", "5")
    expected = [("GET /e1", 90), ("GET /r3", 90), ("GET /a4", 90), ("GET /z0", 50), ("GET /b2", 50)]
    assert found == expected, "Of equal durations the one that stands earlier in the log comes first."
    assert slowest(cli, text, "--top", "1")[0] == expected[:1], "Of equal durations the earlier one is kept."


@pytest.mark.group("slowest")
def test_near_misses(cli):
    """A request has any method, status and level; what only looks like one is a message like any other."""
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
    found, count = slowest(cli, "".join(line(n, words) for n, words in enumerate(close)) + sound)
    assert count == 2, "A request is the whole message, in exactly the form of the contract, whatever its level."
    assert found == [("PURGE /a?b=c#d", 70), ("X /", 9)], "Any METHOD in capitals and any PATH make a request."
