"""Summarise logs of any length: bytes -> entries -> tallies -> JSON.

Each link of the chain is a plain function or a closure, and holds no more than it was just handed.
"""

import json
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter, namedtuple
from contextlib import contextmanager
from datetime import datetime
from heapq import heappush, heappushpop

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
TROUBLE = {"ERROR", "CRITICAL"}
LINE = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) "
    rf"(?P<level>{'|'.join(LEVELS)}) (?P<component>[A-Za-z0-9._-]+) (?P<message>[^ ].*)",
    re.DOTALL | re.ASCII,
)
REQUEST = re.compile(r"([A-Z]+ /[^ ]*) (\d{3}) (\d+)ms", re.ASCII)

Entry = namedtuple("Entry", "time level component message")
MALFORMED = Entry(None, None, None, None)


def exists(time):
    """Whether the calendar and the clock know this moment."""
    try:
        datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        return False
    return not time[17:19] > "59"


def understand(raw):
    """The entry that the bytes of one line hold, MALFORMED, or None if the line is blank."""
    raw = raw.removesuffix(b"\n").removesuffix(b"\r")
    if not raw.strip(b" "):
        return None
    try:
        match = LINE.fullmatch(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return MALFORMED
    if match is None or not exists(match["time"]):
        return MALFORMED
    return Entry(**match.groupdict())


def counting():
    """A pair of functions: one takes entries, one tells how many there were of what."""
    by_level = Counter()
    by_component = {}
    times = []
    malformed = 0

    def take(entry):
        nonlocal malformed
        if entry is MALFORMED:
            malformed += 1
            return
        by_level[entry.level] += 1
        row = by_component.setdefault(entry.component, {"lines": 0, "errors": 0})
        row["lines"] += 1
        row["errors"] += entry.level in TROUBLE
        times[:] = [min([entry.time, *times]), max([entry.time, *times])]

    def tell():
        sound = by_level.total()
        first, last = times or (None, None)
        return {
            "lines": sound + malformed,
            "malformed": malformed,
            "first": first,
            "last": last,
            "levels": {level: by_level[level] for level in LEVELS},
            "components": by_component,
            "error_rate": sum(by_level[level] for level in TROUBLE) / sound if sound else None,
        }

    return take, tell


def ranking(places):
    """A pair of functions: one takes entries, one tells which requests were the slowest."""
    heap = []
    seen = 0

    def take(entry):
        nonlocal seen
        match = REQUEST.fullmatch(entry.message or "")
        if match is None:
            return
        seen += 1
        request, status, ms = match.groups()
        item = (int(ms), -seen, entry.time, entry.component, request, int(status))
        if len(heap) < places:
            heappush(heap, item)
        elif places:
            heappushpop(heap, item)

    def tell():
        names = ("ms", "time", "component", "request", "status")
        best = [(ms, *rest) for ms, _, *rest in sorted(heap, reverse=True)]
        return {"requests": seen, "slowest": [dict(zip(names, row)) for row in best]}

    return take, tell


def summary(raws, places):
    """The summary of an iterable of raw lines."""
    links = [counting(), ranking(places)]
    for entry in map(understand, raws):
        if entry is not None:
            for take, _ in links:
                take(entry)
    return {key: value for _, tell in links for key, value in tell().items()}


def pour(paths):
    """All raw lines of all logs, one at a time."""
    if not paths:
        yield from sys.stdin.buffer
    for path in paths:
        with open(path, "rb") as log:
            yield from log


def places(text):
    """What --top may be."""
    if not re.fullmatch(r"\d+", text, re.ASCII):
        raise ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


@contextmanager
def complaints():
    """Turns an OSError into a sentence and status 1."""
    try:
        yield
    except OSError as error:
        sys.exit(f"log_leviathan: {error.filename}: {error.strerror}")


def main(argv=None):
    """Parse, summarise, tell."""
    parser = ArgumentParser(prog="log_leviathan", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--top", type=places, default=5, metavar="N")
    parser.add_argument("--output", metavar="PATH")
    options = parser.parse_intermixed_args(argv)
    with complaints():
        text = json.dumps(summary(pour(options.files), options.top), indent=2) + "\n"
        if options.output is None:
            sys.stdout.write(text)
        else:
            with open(options.output, "w", encoding="utf-8") as target:
                target.write(text)


if __name__ == "__main__":
    main()
