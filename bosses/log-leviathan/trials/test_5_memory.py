"""Logs that are longer than the memory. One wide character makes Python keep four bytes for each of a line's.

No two lines of a file are alike, and each is of random letters, so that keeping each different line once, or all of
them compressed, is no way out. Sizes, names and the order of the files are drawn, so that nothing tells these logs from
others before they have been read.
"""

import json
import string

import pytest

pytestmark = pytest.mark.limits(seconds=8, memory_mb=128)

WHOLE = 40_000_000
MAX_GROWTH = 3_000_000
LINE = 1_800
SIGNS = (string.ascii_letters + string.digits + "!#$&()*+,-./:;<=>?@[]^_{|}~").encode()
LETTERS = bytes(SIGNS[number % len(SIGNS)] for number in range(256))


def lines_like(rng, size, head, tails=()):
    """As many lines as fit into the size, each of random letters of its own, with a random one of the tails."""
    width = LINE - 100 - rng.randint(0, 100)
    wide = rng.choice("🔥🌊🐙🚢🔧").encode()
    start, ends = head.encode(), [f"{tail}\n".encode() for tail in tails] or [b"\n"]
    count = size // (len(start) + width + len(wide) + len(ends[0]))
    letters = rng.randbytes(count * width).translate(LETTERS)
    bodies = (letters[at : at + width] for at in range(0, len(letters), width))
    return [start + body + wide + rng.choice(ends) for body in bodies]


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


def pass_through(cli, rng, head, tails=(), extra=""):
    """The summary of a log in two files, the long one read again and again; and how many lines that one has.

    Somewhere in its second half is an extra line.
    """
    long, short = (f"{''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=8))}.log" for _ in range(2))
    lines = lines_like(rng, rng.randint(9_000_000, 9_300_000), head, tails)
    names = [long] * (WHOLE // sum(map(len, lines))) + [short] * rng.randint(1, 3)
    rng.shuffle(names)
    contents = {long: lines, short: lines_like(rng, rng.randint(1_400_000, 1_700_000), head, tails)}
    if extra:
        lines.insert(rng.randint(len(lines) // 2, len(lines)), extra.encode())
    files = {name: b"".join(content) for name, content in contents.items()}
    # The same files lie there: what the host holds of them counts for both runs.
    short_run, long_run = cli(stdin=lines[0], files=files), cli(*names, files=files)
    told = summary(long_run)
    growth = long_run.report.peak_memory_bytes - short_run.report.peak_memory_bytes
    assert growth <= MAX_GROWTH, "Memory grows with the length of the log: lines, or something of every line, are kept."
    return told, len(lines) - bool(extra)


@pytest.mark.group("long_log")
def test_a_log_longer_than_memory(cli, rng):
    """Lines are let go: a log larger than the memory passes through."""
    told, count = pass_through(cli, rng, f"{moment(rng)} {rng.choice(['INFO', 'DEBUG', 'WARNING'])} gate ")
    assert told.get("lines", 0) >= count, "Of a long log every line is counted."


@pytest.mark.group("long_log")
def test_long_standard_input(cli, rng):
    """Standard input is let go line by line like a file."""
    content = lines_like(rng, rng.randint(9_500_000, 10_000_000), f"{moment(rng)} INFO gate ")
    lines = summary(cli(stdin=b"".join(content))).get("lines")
    assert lines in (0, len(content)), "Of a long log on standard input every line is counted."  # 0: it isn't read


@pytest.mark.group("long_requests")
def test_requests_without_end(cli, rng):
    """Requests are let go: of all the requests in a log larger than the memory, only the slowest are kept."""
    head = f"{moment(rng)} INFO pump.3 GET /"
    tails = [f" {rng.randint(200, 599)} {rng.randint(1000, 8999)}ms" for _ in range(500)]
    slowest = rng.randint(9000, 9999)
    told, count = pass_through(cli, rng, head, tails, f"{head} 200 {slowest}ms\n")
    assert told.get("lines", 0) >= count, "Of a long log every line is counted."
    assert told.get("requests"), "The requests of a long log are counted."
    assert slowest_of(told) == slowest, "Of a long log the slowest requests are listed, wherever they stand in it."


def slowest_of(told):
    """How long the first of the listed requests took; None if the list is of another form."""
    match told.get("slowest"):
        case [{"ms": duration}, *_]:
            return duration
        case _:
            return None


@pytest.mark.group("long_requests")
def test_damage_without_end(cli, rng):
    """Malformed lines are let go: they are counted, not kept."""
    told, count = pass_through(cli, rng, "", extra=f"{moment(rng)} INFO gate words\n")
    assert told.get("malformed", 0) >= count, "Each malformed line of a long log is counted."
