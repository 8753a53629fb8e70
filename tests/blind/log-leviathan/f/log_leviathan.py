"""Summarise logs of any length in one pass."""

import argparse
import heapq
import json
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
TROUBLE = {"ERROR", "CRITICAL"}
LINE = re.compile(
    rf"(\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{3}}Z) ({'|'.join(LEVELS)}) ([A-Za-z0-9._-]+) ([^ ].*)",
    re.ASCII | re.DOTALL,
)
REQUEST = re.compile(r"([A-Z]+ /[^ ]*) (\d{3}) (\d+)ms", re.ASCII | re.DOTALL)


class Entry(NamedTuple):
    time: str
    level: str
    component: str
    message: str


def parse(line: bytes) -> Entry | None:
    """Understand one line without its end; None if it is malformed."""
    try:
        match = LINE.fullmatch(line.decode("utf-8"))
        if match is None:
            return None
        datetime.fromisoformat(match[1])  # the pattern knows the form, this knows the calendar
    except ValueError:
        return None
    return Entry(*match.groups())


class Tally:
    """What is known of the log so far. Times are compared as text: the fixed form sorts by itself."""

    def __init__(self, top: int) -> None:
        self.top = top
        self.malformed = self.sound = self.requests = 0
        self.first: str | None = None
        self.last: str | None = None
        self.levels = dict.fromkeys(LEVELS, 0)
        self.components: dict[str, dict[str, int]] = {}
        self.slowest: list[tuple[int, int, dict[str, object]]] = []

    def add(self, entry: Entry | None) -> None:
        if entry is None:
            self.malformed += 1
            return
        self.sound += 1
        self.first = min(self.first or entry.time, entry.time)
        self.last = max(self.last or entry.time, entry.time)
        self.levels[entry.level] += 1
        component = self.components.setdefault(entry.component, {"lines": 0, "errors": 0})
        component["lines"] += 1
        component["errors"] += entry.level in TROUBLE
        if match := REQUEST.fullmatch(entry.message):
            self._add_request(entry, *match.groups())

    def _add_request(self, entry: Entry, request: str, status: str, ms: str) -> None:
        self.requests += 1
        told = {"ms": int(ms), "time": entry.time, "component": entry.component, "request": request, "status": int(status)}
        heapq.heappush(self.slowest, (int(ms), -self.requests, told))
        if len(self.slowest) > self.top:
            heapq.heappop(self.slowest)

    def summary(self) -> dict[str, object]:
        errors = sum(self.levels[level] for level in TROUBLE)
        return {
            "lines": self.sound + self.malformed,
            "malformed": self.malformed,
            "first": self.first,
            "last": self.last,
            "levels": self.levels,
            "components": self.components,
            "error_rate": errors / self.sound if self.sound else None,
            "requests": self.requests,
            "slowest": [told for _, _, told in sorted(self.slowest, reverse=True)],
        }


def summarise(lines: Iterable[bytes], top: int) -> dict[str, object]:
    """Add up the lines of a log."""
    tally = Tally(top)
    for line in lines:
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if line.strip(b" "):
            tally.add(parse(line))
    return tally.summary()


def read(paths: list[str]) -> Iterator[bytes]:
    """The lines of all files, or of standard input if there are none. Files of bytes end lines at LF alone."""
    if not paths:
        yield from sys.stdin.buffer
    for path in paths:
        with open(path, "rb") as file:
            yield from file


def whole_number(text: str) -> int:
    if not re.fullmatch("[0-9]+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", metavar="FILE", nargs="*", help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=whole_number, default=5, help="how many slow requests to list")
    parser.add_argument("--output", metavar="PATH", help="where the summary goes")
    options = parser.parse_intermixed_args(arguments)
    try:
        text = json.dumps(summarise(read(options.files), options.top), indent=2) + "\n"
        if options.output is None:
            sys.stdout.write(text)
        else:
            with open(options.output, "w", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        print(f"log_leviathan: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
