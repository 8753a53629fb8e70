"""Logs that are longer than the memory. One wide character makes Python keep four bytes for each of a line's.

No two lines of a file are alike, so that keeping each different line once is no way out. Words, sizes, names and the
order of the files are drawn, so that nothing tells these logs from others before they have been read.
"""

import json

import pytest

pytestmark = pytest.mark.limits(seconds=8, memory_mb=60)

WHOLE = 40_000_000
LINE = 1_800


def text_like(rng, size, head, tail=""):
    """As many lines as fit into the size, each with a number of its own, and with random words; and how many."""
    words = [("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(3, 9)))) for _ in range(40)]
    body = ""
    while len(body) < LINE - 200 - rng.randint(0, 100):
        body += rng.choice(words) + ("/" if tail else " ")
    form = f"{head}{body}{rng.choice('🔥🌊🐙🚢🔧')}{{}}{tail}\n"
    first = rng.randint(1_000_000, 2_000_000)
    count = size // len(form.format(first).encode())
    return "".join(form.format(first + number) for number in range(count)).encode(), count


def moment(rng):
    """Some moment, as it is written in a log."""
    parts = (rng.randint(2024, 2040), *(rng.randint(low, high) for low, high in ((1, 12), (1, 28), (0, 23))))
    return "{}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z".format(*parts, *(rng.randint(0, top) for top in (59, 59, 999)))


def summary(run):
    """The summary of a long log. Whether its counts are right is not what these trials are about."""
    assert run.exit_code == 0, "A long log must end with exit status 0 like a short one."
    try:
        told = json.loads(run.stdout)
    except ValueError:
        told = None
    assert isinstance(told, dict), "A long log ends in a summary like a short one."
    return told


def pass_through(cli, rng, head, tail="", extra=b""):
    """The summary of a log in two files, the long one read again and again; and how many lines that one has."""
    text, count = text_like(rng, rng.randint(9_000_000, 9_300_000), head, tail)
    other, _ = text_like(rng, rng.randint(300_000, 900_000), head, tail)
    long, short = (f"{''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=8))}.log" for _ in range(2))
    names = [long] * (WHOLE // len(text)) + [short] * rng.randint(1, 3)
    rng.shuffle(names)
    return summary(cli(*names, files={long: extra + text, short: extra + other})), count


@pytest.mark.group("long_log")
def test_a_log_longer_than_memory(cli, rng):
    """Lines are let go: a log larger than the memory passes through."""
    told, count = pass_through(cli, rng, f"{moment(rng)} {rng.choice(['INFO', 'DEBUG', 'WARNING'])} gate ")
    assert told.get("lines", 0) >= count, "Of a long log every line is counted."


@pytest.mark.group("long_log")
def test_long_standard_input(cli, rng):
    """Standard input is let go line by line like a file."""
    text, count = text_like(rng, rng.randint(9_500_000, 10_000_000), f"{moment(rng)} INFO gate ")
    lines = summary(cli(stdin=text)).get("lines")
    assert lines in (0, count), "Of a long log on standard input every line is counted."  # 0: it isn't read at all


@pytest.mark.group("long_requests")
def test_requests_without_end(cli, rng):
    """Requests are let go: of all the requests in a log larger than the memory, only the slowest are kept."""
    tail = f" {rng.randint(200, 599)} {rng.randint(10, 99)}ms"
    told, count = pass_through(cli, rng, f"{moment(rng)} INFO pump.3 GET /", tail)
    assert told.get("lines", 0) >= count, "Of a long log every line is counted."
    assert told.get("requests"), "The requests of a long log are counted."


@pytest.mark.group("long_requests")
def test_damage_without_end(cli, rng):
    """Malformed lines are let go: they are counted, not kept."""
    told, count = pass_through(cli, rng, "", extra=f"{moment(rng)} INFO gate words\n".encode())
    assert told.get("malformed", 0) >= count, "Each malformed line of a long log is counted."
