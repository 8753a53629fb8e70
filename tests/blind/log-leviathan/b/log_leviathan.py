"""Summarise logs of any length in one pass."""

import argparse
import heapq
import json
import re
import sys
from collections import namedtuple
from datetime import datetime

LINE = re.compile(
    r"(?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z)"
    r" (?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL)"
    r" (?P<component>[a-zA-Z0-9._-]+)"
    r" (?P<message>[^ ].*)",
    re.DOTALL,
)
REQUEST = re.compile(r"(?P<request>[A-Z]+ /[^ ]*) (?P<status>[0-9]{3}) (?P<ms>[0-9]+)ms")
BATCH = 1 << 16

Entry = namedtuple("Entry", "time level component message")


def parse_line(text):
    """Return the Entry a line tells of, or None if the line is malformed."""
    match = LINE.fullmatch(text)
    if match is None:
        return None
    try:
        datetime.fromisoformat(match["time"])
    except ValueError:
        return None
    return Entry(**match.groupdict())


def decode(raw):
    """Return the text of a line, or None if it is no text."""
    try:
        return raw.decode("utf-8").rstrip()
    except UnicodeDecodeError:
        return None


class Leviathan:
    """Counters, extremes and a heap: all that is known of the log up to here."""

    def __init__(self, top):
        self.top = top
        self.malformed = 0
        self.requests = 0
        self.first = None
        self.last = None
        self.levels = {"DEBUG": 0, "INFO": 0, "WARNING": 0, "ERROR": 0, "CRITICAL": 0}
        self.components = {}
        self.heap = []

    def feed(self, raw):
        text = decode(raw)
        if text == "":
            return
        entry = parse_line(text) if text is not None else None
        if entry is None:
            self.malformed += 1
        else:
            self.count(entry)

    def count(self, entry):
        if self.first is None or entry.time < self.first:
            self.first = entry.time
        if self.last is None or entry.time > self.last:
            self.last = entry.time
        self.levels[entry.level] += 1
        component = self.components.setdefault(entry.component, {"lines": 0, "errors": 0})
        component["lines"] += 1
        if entry.level in ("ERROR", "CRITICAL"):
            component["errors"] += 1
        match = REQUEST.fullmatch(entry.message)
        if match:
            self.requests += 1
            self.rank(entry, match)

    def rank(self, entry, match):
        item = (int(match["ms"]), -self.requests, entry.time, entry.component, match["request"], int(match["status"]))
        if len(self.heap) < self.top:
            heapq.heappush(self.heap, item)
        elif self.heap:
            heapq.heappushpop(self.heap, item)

    def summary(self):
        sound = sum(self.levels.values())
        errors = self.levels["ERROR"] + self.levels["CRITICAL"]
        return {
            "lines": sound + self.malformed,
            "malformed": self.malformed,
            "first": self.first,
            "last": self.last,
            "levels": self.levels,
            "components": self.components,
            "error_rate": errors / sound if sound else None,
            "requests": self.requests,
            "slowest": [
                {"ms": ms, "time": time, "component": component, "request": request, "status": status}
                for ms, _, time, component, request, status in sorted(self.heap, reverse=True)
            ],
        }


def summarise(lines, top):
    leviathan = Leviathan(top)
    for raw in lines:
        leviathan.feed(raw)
    return leviathan.summary()


def in_batches(file):
    """Yield the lines of a binary file; some at a time are fetched, as that is quicker."""
    while batch := file.readlines(BATCH):
        yield from batch


def read(names):
    for name in names:
        with open(name, "rb") as file:
            yield from in_batches(file)


def natural(text):
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", nargs="*", help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=natural, default=5, help="how many of the slowest requests to list")
    parser.add_argument("--output", metavar="PATH", help="where the summary goes")
    options = parser.parse_intermixed_args(arguments)
    lines = read(options.files) if options.files else in_batches(sys.stdin.buffer)
    try:
        text = json.dumps(summarise(lines, options.top), indent=1)
        if options.output:
            with open(options.output, "w", encoding="ascii") as file:
                print(text, file=file)
        else:
            print(text)
    except OSError as error:
        sys.stderr.write(f"log_leviathan: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
