"""Logs that are longer than the memory. One wide character makes Python keep four bytes for each of a line's.

No two lines of a file are alike, and each is of random letters, so that keeping each different line once, or all of
them compressed, is no way out. Sizes, names and the order of the files are drawn, so that nothing distinguishes these
logs from others before they have been read.
"""

import json
import string

import pytest

pytestmark = [pytest.mark.limits(seconds=8, memory_mb=128), pytest.mark.clause("MEMORY")]

WHOLE = 40_000_000
MAX_GROWTH = 3
"""In MB."""
LINE = 1_800
SHORT_LINES = 100_000
"""So many that a number kept for each of them is more than the memory may grow."""
SIGNS = (string.ascii_letters + string.digits + "!#$&()*+,-./:;<=>?@[]^_{|}~").encode()
LETTERS = bytes(SIGNS[number % len(SIGNS)] for number in range(256))


def from_its_brace(stdout):
    """What a program prints from the first brace on; what comes before the summary is for the trials of counts."""
    return stdout[max(0, stdout.find("{")) :]


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
    assert run.exit_code == 0, f"expected exit status 0 for a long log; got {run.exit_code}"
    try:
        document = json.loads(from_its_brace(run.stdout))
    except ValueError:
        document = None
    assert isinstance(document, dict), f"expected a summary of a long log; got {run.stdout[:60]!r}"
    return document


def pass_through(cli, rng, head, tails=(), extra="", end=b""):
    """The summary of a log in two files, the long one read again and again; and how many lines that one has.

    Somewhere in its second half is an extra line. The short one closes with a given end.
    """
    long, short = (f"{''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=8))}.log" for _ in range(2))
    lines = lines_like(rng, rng.randint(9_000_000, 9_300_000), head, tails)
    names = [long] * (WHOLE // sum(map(len, lines))) + [short] * rng.randint(1, 3)
    rng.shuffle(names)
    contents = {long: lines, short: lines_like(rng, rng.randint(1_400_000, 1_700_000), head, tails)}
    if extra:
        lines.insert(rng.randint(len(lines) // 2, len(lines)), extra.encode())
    files = {name: b"".join(content) for name, content in contents.items()}
    files[short] += end
    # The same files lie there: what the host holds of them counts for both runs.
    short_run, long_run = cli(stdin=lines[0], files=files), cli(*names, files=files)
    document = summary(long_run)
    expect_flat(short_run, long_run, f"a log of {WHOLE // 10**6} MB in files of at most 10 MB")
    return document, len(lines) - bool(extra)


def expect_flat(short_run, long_run, log):
    """Fail if a long log took more memory than a short one by more than the contract allows."""
    growth = (long_run.report.peak_memory_bytes - short_run.report.peak_memory_bytes) / 10**6
    assert growth <= MAX_GROWTH, f"expected at most {MAX_GROWTH} MB more for {log} than for one line; got {growth:.1f}"


def expect_counted(document, key, count, log):
    """Fail unless at least so many lines were counted: the log was read at all."""
    got = document.get(key, 0)
    assert got >= count, f"expected {key} of at least {count} for {log}; got {got}"


@pytest.mark.group("long_log")
@pytest.mark.advice(
    "Loop over each open file, and keep nothing of a line once it is counted: no read(), no readlines(), no list, "
    "no cache."
)
def test_a_log_longer_than_memory(cli, rng):
    """Lines are not kept: a log larger than the memory can be read."""
    document, count = pass_through(cli, rng, f"{moment(rng)} {rng.choice(['INFO', 'DEBUG', 'WARNING'])} gate ")
    expect_counted(document, "lines", count, "a log of 40 MB")


@pytest.mark.group("long_log")
@pytest.mark.advice(
    "Loop over sys.stdin.buffer as over an open file, and keep nothing of a line once it is counted: no read(), no "
    "list, and no cache."
)
def test_long_standard_input(cli, rng):
    """Standard input is read line by line, like a file."""
    content = lines_like(rng, rng.randint(9_500_000, 10_000_000), f"{moment(rng)} INFO gate ")
    # The same input lies there in both runs: what the host holds of it counts for both.
    files, stdin = {"harbour.log": content[0]}, b"".join(content)
    short_run, long_run = cli("harbour.log", files=files, stdin=stdin), cli(files=files, stdin=stdin)
    lines = summary(long_run).get("lines")
    # 0: a program that does not read standard input is judged for that elsewhere.
    assert lines in (0, len(content)), f"expected lines {len(content)} for 10 MB on standard input; got {lines}"
    expect_flat(short_run, long_run, "10 MB on standard input")


@pytest.mark.group("long_requests")
@pytest.mark.advice(
    "Keep one heap of N requests: heappush while it has room, then heappushpop for each. Count the others, and "
    "keep no line or cache of messages."
)
def test_requests_without_end(cli, rng):
    """Requests are not kept: only the slowest remain in memory."""
    head = f"{moment(rng)} INFO pump.3 GET /"
    tails = [f" {rng.randint(200, 599)} {rng.randint(1000, 8999)}ms" for _ in range(500)]
    slowest = rng.randint(9000, 9999)
    document, count = pass_through(cli, rng, head, tails, f"{head} 200 {slowest}ms\n")
    expect_counted(document, "lines", count, "a log of 40 MB of requests")
    if not document.get("requests") and not finds_requests(cli, head):
        return
    expect_counted(document, "requests", 1, "a log of 40 MB of requests")
    durations = durations_of(document)
    assert slowest in durations, (
        f"expected the only request of {slowest} ms of a long log to be listed; got {durations}"
    )


def finds_requests(cli, head):
    """Whether a single short request is counted; a program that finds none is judged for that elsewhere."""
    return bool(summary(cli(stdin=f"{head} 200 31ms\n")).get("requests"))


def durations_of(document):
    """How long the listed requests took, in whatever order."""
    listed = document.get("slowest")
    return [entry.get("ms") for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


@pytest.mark.group("long_requests")
@pytest.mark.advice(
    "For each line only change counts, the earliest and latest TIME, and a heap cut to N at once. Add nothing to a "
    "list, set or cache."
)
def test_short_lines_without_end(cli, rng):
    """Nothing is kept for each line, however many short lines there are."""
    heads = [f"{moment(rng)} INFO gate GET /".encode() for _ in range(64)]
    tails = [f" {rng.randint(200, 599)} {rng.randint(1000, 8999)}ms\n".encode() for _ in range(64)]
    bodies = rng.randbytes(24 * SHORT_LINES).translate(LETTERS)
    lines = [rng.choice(heads) + bodies[at : at + 24] + rng.choice(tails) for at in range(0, len(bodies), 24)]
    name = f"{''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=8))}.log"
    files = {name: b"".join(lines)}
    short_run, long_run = cli(stdin=lines[0], files=files), cli(name, files=files)
    expect_counted(summary(long_run), "lines", len(lines), f"{SHORT_LINES} short lines")
    expect_flat(short_run, long_run, f"{SHORT_LINES} short lines")


@pytest.mark.group("long_requests")
@pytest.mark.advice(
    "Loop over each open file. Add 1 to a count for a malformed line, and keep neither its text nor its number."
)
def test_damage_without_end(cli, rng):
    """Malformed lines are counted, not kept."""
    # Short ones, too: of the long ones there are too few for their numbers to weigh anything.
    letters = rng.randbytes(6 * SHORT_LINES).translate(LETTERS)
    short = b"".join(letters[at : at + 6] + b"\n" for at in range(0, len(letters), 6))
    document, count = pass_through(cli, rng, "", extra=f"{moment(rng)} INFO gate words\n", end=short)
    expect_counted(document, "malformed", count, "a log of 40 MB of malformed lines")
