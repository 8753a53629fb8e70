"""Summarise logs of any length: one pass, flat memory."""

from __future__ import annotations

import argparse
import bisect
import contextlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

# -- what a line is ---------------------------------------------------------------------------------------------------

SEVERITIES = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
TROUBLE = frozenset({"ERROR", "CRITICAL"})

LINE = re.compile(
    rb"""
    (?P<time>      [0-9]{4}-[0-9]{2}-[0-9]{2} T [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3} Z) [ ]
    (?P<level>     DEBUG | INFO | WARNING | ERROR | CRITICAL)                           [ ]
    (?P<component> [A-Za-z0-9._-]+)                                                     [ ]
    (?P<message>   [^ ].*)
    """,
    re.VERBOSE | re.DOTALL,
)
REQUEST = re.compile(r"(?P<request>[A-Z]+ /[^ ]*) (?P<status>[0-9]{3}) (?P<ms>[0-9]+)ms", re.DOTALL)


class Malformed(ValueError):
    """A line that is not built as it should be."""


@dataclass(frozen=True, slots=True)
class Request:
    ms: int
    time: str
    component: str
    request: str
    status: int

    def as_json(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Entry:
    time: str
    level: str
    component: str
    message: str

    @classmethod
    def parse(cls, line: bytes) -> Entry:
        """Read a line that has lost its end."""
        match = LINE.fullmatch(line)
        if not match:
            raise Malformed("not TIME LEVEL COMPONENT MESSAGE")
        try:
            entry = cls(*(part.decode("utf-8") for part in match.groups()))
            datetime.strptime(entry.time, "%Y-%m-%dT%H:%M:%S.%fZ")
        except ValueError as error:
            raise Malformed(str(error)) from error
        return entry

    @property
    def is_trouble(self) -> bool:
        return self.level in TROUBLE

    def request(self) -> Request | None:
        """The request this line tells of, if it does."""
        match = REQUEST.fullmatch(self.message)
        if not match:
            return None
        return Request(int(match["ms"]), self.time, self.component, match["request"], int(match["status"]))


# -- what is remembered -----------------------------------------------------------------------------------------------


@dataclass
class Slowest:
    """The requests with the greatest ms, the greatest first; of equal ones the one that came first."""

    limit: int
    kept: list[Request] = field(default_factory=list)

    def offer(self, request: Request) -> None:
        bisect.insort_right(self.kept, request, key=lambda kept: -kept.ms)
        del self.kept[self.limit :]


class Summary:
    def __init__(self, top: int) -> None:
        self.malformed = 0
        self.requests = 0
        self.first: str | None = None
        self.last: str | None = None
        self.levels: Counter[str] = Counter()
        self.lines_of: Counter[str] = Counter()
        self.errors_of: Counter[str] = Counter()
        self.slowest = Slowest(top)

    def add_malformed(self) -> None:
        self.malformed += 1

    def add(self, entry: Entry) -> None:
        # The form of a time is fixed, so that times sort as text.
        self.first = entry.time if self.first is None else min(self.first, entry.time)
        self.last = entry.time if self.last is None else max(self.last, entry.time)
        self.levels[entry.level] += 1
        self.lines_of[entry.component] += 1
        self.errors_of[entry.component] += entry.is_trouble
        if request := entry.request():
            self.requests += 1
            self.slowest.offer(request)

    def as_json(self) -> dict[str, object]:
        sound = self.levels.total()
        return {
            "lines": sound + self.malformed,
            "malformed": self.malformed,
            "first": self.first,
            "last": self.last,
            "levels": {level: self.levels[level] for level in SEVERITIES},
            "components": {
                name: {"lines": lines, "errors": self.errors_of[name]} for name, lines in self.lines_of.items()
            },
            "error_rate": self.errors_of.total() / sound if sound else None,
            "requests": self.requests,
            "slowest": [request.as_json() for request in self.slowest.kept],
        }


def summarise(lines: Iterable[bytes], top: int) -> dict[str, object]:
    summary = Summary(top)
    for line in lines:
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if not line.strip(b" "):
            continue
        try:
            summary.add(Entry.parse(line))
        except Malformed:
            summary.add_malformed()
    return summary.as_json()


# -- where lines come from and the summary goes -----------------------------------------------------------------------


def lines_of(paths: list[str]) -> Iterator[bytes]:
    for path in paths:
        with open(path, "rb") as log:
            yield from log


def replace_file(path: str, text: str) -> None:
    """Write all of the text or nothing."""
    draft = f"{path}.{os.getpid()}.part"
    try:
        with open(draft, "x", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise OSError(error.errno, error.strerror, path) from error


def whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"a whole number, 0 or more, is needed, not {text!r}")
    return int(text)


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", metavar="FILE", nargs="*", help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=whole_number, default=5, help="how many of the slowest requests")
    parser.add_argument("--output", metavar="PATH", help="where the summary goes; standard output if not given")
    return parser.parse_intermixed_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        summary = summarise(lines_of(options.files) if options.files else sys.stdin.buffer, options.top)
        text = json.dumps(summary, indent=2) + "\n"
        if options.output is None:
            sys.stdout.write(text)
        else:
            replace_file(options.output, text)
    except OSError as error:
        print(f"log_leviathan: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
