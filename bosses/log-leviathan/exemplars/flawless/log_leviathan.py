"""Summarise logs of any length in one pass: counts, error rate, extremes of time, slowest requests.

    python log_leviathan.py harbour.log --top 3
    zcat harbour.log.gz | python log_leviathan.py --output summary.json

Lines come as bytes and leave as an Entry, or as None where they are malformed; a Summary holds counters and a heap of
at most N requests. Nothing else is kept between two lines.
"""

import argparse
import heapq
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
ERRORS = ("ERROR", "CRITICAL")
DEFAULT_TOP = 5

LINE = re.compile(
    r"(?P<time>(?P<moment>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})\.[0-9]{3}Z)"
    rf" (?P<level>{'|'.join(LEVELS)}) (?P<component>[A-Za-z0-9._-]+) (?P<message>[^ ].*)",
    re.DOTALL,
)
REQUEST = re.compile(r"(?P<request>[A-Z]+ /[^ ]*) (?P<status>[0-9]{3}) (?P<ms>[0-9]+)ms")


class LeviathanError(Exception):
    """A log that can't be read or a summary that can't be written. The message names it."""


@dataclass(frozen=True)
class Request:
    """A request that a line tells of."""

    ms: int
    request: str
    status: int


@dataclass(frozen=True)
class Entry:
    """One well-formed line, without the words nobody asks for."""

    time: str
    level: str
    component: str
    request: Request | None


def parse_request(message: str) -> Request | None:
    """The request that a message is, if it is one from end to end."""
    found = REQUEST.fullmatch(message)
    return Request(int(found["ms"]), found["request"], int(found["status"])) if found else None


def parse_line(line: bytes) -> Entry | None:
    """Understand one line without its end; None if it is malformed."""
    with suppress(ValueError):  # bytes that are no UTF-8, or a moment that does not exist
        found = LINE.fullmatch(line.decode("utf-8"))
        if found:
            datetime.fromisoformat(found["moment"])
            return Entry(found["time"], found["level"], found["component"], parse_request(found["message"]))
    return None


class Slowest:
    """The slowest requests so far, at most ``top`` of them; of equal ones the earlier are kept."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._seen = 0
        self._heap: list[tuple[int, int, dict[str, object]]] = []

    def add(self, entry: Entry, request: Request) -> None:
        """Take a request into account."""
        self._seen += 1
        told = {"ms": request.ms, "time": entry.time, "component": entry.component}
        ranked = (request.ms, -self._seen, told | {"request": request.request, "status": request.status})
        if len(self._heap) < self._top:
            heapq.heappush(self._heap, ranked)
        elif self._heap:
            heapq.heappushpop(self._heap, ranked)

    def listed(self) -> list[dict[str, object]]:
        """The requests, the slowest first."""
        return [told for _, _, told in sorted(self._heap, key=lambda ranked: ranked[:2], reverse=True)]


class Summary:
    """What is known about the lines so far. Its size does not depend on how many there were."""

    def __init__(self, top: int = DEFAULT_TOP) -> None:
        self.malformed = 0
        self.requests = 0
        self.first: str | None = None
        self.last: str | None = None
        self.levels: Counter[str] = Counter(dict.fromkeys(LEVELS, 0))
        self.lines_of: Counter[str] = Counter()
        self.errors_of: Counter[str] = Counter()
        self.slowest = Slowest(top)

    def add(self, entry: Entry | None) -> None:
        """Count one line; None stands for a malformed one."""
        if entry is None:
            self.malformed += 1
            return
        # Times of the one allowed form sort as text.
        self.first = entry.time if self.first is None else min(self.first, entry.time)
        self.last = entry.time if self.last is None else max(self.last, entry.time)
        self.levels[entry.level] += 1
        self.lines_of[entry.component] += 1
        self.errors_of[entry.component] += entry.level in ERRORS
        if entry.request is not None:
            self.requests += 1
            self.slowest.add(entry, entry.request)

    def as_json(self) -> dict[str, object]:
        """The summary as the contract has it."""
        sound, errors = self.levels.total(), self.errors_of.total()
        return {
            "lines": sound + self.malformed,
            "malformed": self.malformed,
            "first": self.first,
            "last": self.last,
            "levels": dict(self.levels),
            "components": {
                name: {"lines": lines, "errors": self.errors_of[name]} for name, lines in self.lines_of.items()
            },
            "error_rate": errors / sound if sound else None,
            "requests": self.requests,
            "slowest": self.slowest.listed(),
        }


def summarise(lines: Iterable[bytes], top: int = DEFAULT_TOP) -> dict[str, object]:
    """The summary of lines; blank ones don't count."""
    summary = Summary(top)
    for line in lines:
        bare = line.removesuffix(b"\n").removesuffix(b"\r")
        if bare.strip(b" "):
            summary.add(parse_line(bare))
    return summary.as_json()


def lines_of(paths: Iterable[Path], stdin: BinaryIO) -> Iterator[bytes]:
    """The lines of all logs, one at a time; those of standard input if there is no path.

    Raises:
        LeviathanError: A log can't be read.
    """
    path = None
    try:
        for path in paths:
            with path.open("rb") as log:
                yield from log
    except OSError as error:
        raise LeviathanError(f"can't read {path}: {error.strerror}") from error
    if path is None:
        yield from stdin


def write_summary(text: str, path: Path | None) -> None:
    """Print the summary, or put it into a file.

    Raises:
        LeviathanError: The file can't be written.
    """
    if path is None:
        print(text)
        return
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise LeviathanError(f"can't write {path}: {error.strerror}") from error


def whole_number(text: str) -> int:
    """A number of requests to list.

    Raises:
        argparse.ArgumentTypeError: It is none.
    """
    if not re.fullmatch("[0-9]+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", type=Path, nargs="*", help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=whole_number, default=DEFAULT_TOP, help="slowest requests to list")
    parser.add_argument("--output", metavar="PATH", type=Path, help="where the summary goes")
    options = parser.parse_intermixed_args(arguments)
    try:
        summary = summarise(lines_of(options.files, sys.stdin.buffer), options.top)
        write_summary(json.dumps(summary, indent=2), options.output)
    except LeviathanError as error:
        print(f"log_leviathan: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
