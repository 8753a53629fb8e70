"""One pass over any amount of log, a short JSON summary at the end."""

import argparse
import heapq
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import count
from typing import NamedTuple

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
TROUBLE = {"ERROR", "CRITICAL"}

LINE = re.compile(
    r"(?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3})Z"
    rf" (?P<level>{'|'.join(LEVELS)})"
    r" (?P<component>[A-Za-z0-9._-]+)"
    r" (?P<message>[^ ].*)",
    re.DOTALL,
)
REQUEST = re.compile(r"(?P<what>[A-Z]+ /[^ ]*) (?P<status>[0-9]{3}) (?P<ms>[0-9]+)ms")


class Entry(NamedTuple):
    time: str
    level: str
    component: str
    message: str


def parse_line(raw: bytes) -> Entry | None:
    """The entry in a line without its end, or None if the line is malformed."""
    try:
        match = LINE.fullmatch(raw.decode("utf-8"))
        if match is None:
            return None
        datetime.fromisoformat(match["time"])
    except ValueError:  # UnicodeDecodeError is one, too
        return None
    return Entry(match["time"] + "Z", match["level"], match["component"], match["message"])


def parse_request(entry: Entry) -> dict[str, object] | None:
    match = REQUEST.fullmatch(entry.message)
    if match is None:
        return None
    return {
        "ms": int(match["ms"]),
        "time": entry.time,
        "component": entry.component,
        "request": match["what"],
        "status": int(match["status"]),
    }


class Summary:
    """Counters, extremes and the `top` slowest requests: all that is kept of a log."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._slowest: list[tuple[int, int, dict[str, object]]] = []
        self._position = count()
        self.malformed = self.requests = 0
        self.first: str | None = None
        self.last: str | None = None
        self.levels: Counter[str] = Counter()
        self.components: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()

    def add(self, entry: Entry | None) -> None:
        if entry is None:
            self.malformed += 1
            return
        # The form is fixed, so times sort as text.
        self.first = min(self.first or entry.time, entry.time)
        self.last = max(self.last or entry.time, entry.time)
        self.levels[entry.level] += 1
        self.components[entry.component] += 1
        self.errors[entry.component] += entry.level in TROUBLE
        if request := parse_request(entry):
            self._add_request(request)

    def _add_request(self, request: dict[str, object]) -> None:
        self.requests += 1
        item = (request["ms"], -next(self._position), request)
        if len(self._slowest) < self._top:
            heapq.heappush(self._slowest, item)
        elif self._top:
            heapq.heappushpop(self._slowest, item)

    def as_dict(self) -> dict[str, object]:
        sound = self.levels.total()
        return {
            "lines": sound + self.malformed,
            "malformed": self.malformed,
            "first": self.first,
            "last": self.last,
            "levels": {level: self.levels[level] for level in LEVELS},
            "components": {
                name: {"lines": lines, "errors": self.errors[name]} for name, lines in self.components.items()
            },
            "error_rate": self.errors.total() / sound if sound else None,
            "requests": self.requests,
            "slowest": [request for _, _, request in sorted(self._slowest, reverse=True)],
        }


def content(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines without their ends, and without the blank ones."""
    for line in lines:
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if line.strip(b" "):
            yield line


def summarise(lines: Iterable[bytes], top: int = 5) -> dict[str, object]:
    summary = Summary(top)
    for line in content(lines):
        summary.add(parse_line(line))
    return summary.as_dict()


def read(paths: Iterable[str]) -> Iterator[bytes]:
    for path in paths:
        with open(path, "rb") as file:
            yield from file


def whole_number(text: str) -> int:
    if not re.fullmatch("[0-9]+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", metavar="FILE", nargs="*", help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=whole_number, default=5)
    parser.add_argument("--output", metavar="PATH", help="default: standard output")
    options = parser.parse_intermixed_args(arguments)
    try:
        told = json.dumps(summarise(read(options.files) if options.files else sys.stdin.buffer, options.top), indent=2)
        if options.output is None:
            print(told)
        else:
            with open(options.output, "w", encoding="utf-8") as file:
                print(told, file=file)
    except OSError as error:
        print(f"{parser.prog}: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
