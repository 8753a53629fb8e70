"""Logs that are longer than the memory. One wide character makes Python keep four bytes for each of a line's."""

import json

import pytest

pytestmark = pytest.mark.limits(seconds=8, memory_mb=60)

WHOLE = 40_000_000


def pass_through(cli, line, size):
    """The summary of a log that is one line, over and over, in a file that is read many times; and its length."""
    count, times = size // len(line.encode()), WHOLE // size
    run = cli(*["long.log"] * times, files={"long.log": line * count})
    assert run.exit_code == 0, "A long log must end with exit status 0 like a short one."
    try:
        told = json.loads(run.stdout)
    except ValueError:
        told = None
    assert isinstance(told, dict), "A long log ends in a summary like a short one."
    assert told.get("lines") == count * times, "Of a long log every line is counted."
    return told, count * times


@pytest.mark.group("long_log")
def test_a_log_longer_than_memory(cli):
    """Lines are let go: a log larger than the memory passes through."""
    words = "the tide is rising, the gates are holding, " * 40
    told, _ = pass_through(cli, f"2031-04-02T05:00:00.125Z INFO gate {words}🔥\n", 10_000_000)
    assert told.get("requests") == 0, "This log has no request."


@pytest.mark.group("long_requests")
def test_requests_without_end(cli):
    """Requests are let go: of all the requests in a log larger than the memory, only the slowest are kept."""
    path = "/docks/gates/valves" * 90
    told, count = pass_through(cli, f"2031-04-02T05:00:00.125Z ERROR pump.3 GET {path}🔥 200 31ms\n", 2_000_000)
    assert told.get("requests") == count, "Each request of a long log is counted."
