"""Logs that are longer than the memory. One wide character makes Python keep four bytes for each of a line's.

No two lines of a file are alike, so that keeping each different line once is no way out.
"""

import json

import pytest

pytestmark = pytest.mark.limits(seconds=8, memory_mb=60)

WHOLE = 40_000_000


def lines_like(form, size):
    """As many lines of this form as fit into the size, each with a number of its own; and how many there are."""
    count = size // len(form.format(0).encode())
    return "".join(form.format(1_000_000 + number) for number in range(count)).encode(), count


def summary(run):
    """The summary of a long log. Whether its counts are right is not what these trials are about."""
    assert run.exit_code == 0, "A long log must end with exit status 0 like a short one."
    try:
        told = json.loads(run.stdout)
    except ValueError:
        told = None
    assert isinstance(told, dict), "A long log ends in a summary like a short one."
    return told


def pass_through(cli, form, size):
    """The summary of a log that is a file of such lines, read many times; and how many lines the file has."""
    text, count = lines_like(form, size)
    return summary(cli(*["long.log"] * (WHOLE // size), files={"long.log": text})), count


@pytest.mark.group("long_log")
def test_a_log_longer_than_memory(cli):
    """Lines are let go: a log larger than the memory passes through."""
    words = "the tide is rising, the gates are holding, " * 40
    told, count = pass_through(cli, f"2031-04-02T05:00:00.125Z INFO gate {words}🔥 {{}}\n", 10_000_000)
    assert told.get("lines", 0) >= count, "Of a long log every line is counted."


@pytest.mark.group("long_log")
def test_long_standard_input(cli):
    """Standard input is let go line by line like a file."""
    words = "the tide is falling, the gates are open, " * 40
    text, count = lines_like(f"2031-04-02T05:00:00.125Z INFO gate {words}🔥 {{}}\n", 10_000_000)
    lines = summary(cli(stdin=text)).get("lines")
    assert lines in (0, count), "Of a long log on standard input every line is counted."  # 0: it isn't read at all


@pytest.mark.group("long_requests")
def test_requests_without_end(cli):
    """Requests are let go: of all the requests in a log larger than the memory, only the slowest are kept."""
    path = "/docks/gates/valves" * 90
    told, count = pass_through(cli, f"2031-04-02T05:00:00.125Z INFO pump.3 GET {path}🔥{{}} 200 31ms\n", 10_000_000)
    assert told.get("lines", 0) >= count, "Of a long log every line is counted."
    assert told.get("requests"), "The requests of a long log are counted."


@pytest.mark.group("long_requests")
def test_damage_without_end(cli):
    """Malformed lines are let go: they are counted, not kept."""
    sound = "2031-04-02T05:00:00.125Z INFO gate words\n"
    text, count = lines_like(f"{'nothing but foam on the water ' * 60}🔥 {{}}\n", 10_000_000)
    run = cli(*["long.log"] * (WHOLE // 10_000_000), files={"long.log": sound.encode() + text})
    assert summary(run).get("malformed", 0) >= count, "Each malformed line of a long log is counted."
