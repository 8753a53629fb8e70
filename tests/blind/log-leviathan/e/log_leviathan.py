"""Summarise logs of any length in one pass.

Try it:  python log_leviathan.py harbour.log --top 3
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from entries import LEVELS, Entry, request_of, understand


class Reckoner:
    """Adds up entries. Holds on to counters, two times and the slowest requests."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._lines = 0
        self._malformed = 0
        self._errors = 0
        self._requests = 0
        self._span: tuple[str, str] | None = None
        self._levels = {level: 0 for level in LEVELS}
        self._components: dict[str, dict[str, int]] = {}
        self._slowest: list[dict[str, object]] = []

    def take(self, entry: Entry | None) -> None:
        self._lines += 1
        if entry is None:
            self._malformed += 1
            return
        first, last = self._span or (entry.time, entry.time)
        self._span = min(first, entry.time), max(last, entry.time)
        self._errors += entry.is_error
        self._levels[entry.level] += 1
        component = self._components.setdefault(entry.component, {"lines": 0, "errors": 0})
        component["lines"] += 1
        component["errors"] += entry.is_error
        self._take_request(entry)

    def _take_request(self, entry: Entry) -> None:
        request = request_of(entry)
        if request is None:
            return
        self._requests += 1
        self._slowest.append(
            {
                "ms": request.ms,
                "time": entry.time,
                "component": entry.component,
                "request": f"{request.method} {request.path}",
                "status": request.status,
            }
        )
        # Sorting is stable: a newcomer stays behind its equals, and the surplus is cut off at once.
        self._slowest.sort(key=lambda slow: slow["ms"], reverse=True)
        del self._slowest[self._top :]

    def result(self) -> dict[str, object]:
        first, last = self._span or (None, None)
        return {
            "lines": self._lines,
            "malformed": self._malformed,
            "first": first,
            "last": last,
            "levels": self._levels,
            "components": self._components,
            "error_rate": self._errors / self._lines if self._span else None,
            "requests": self._requests,
            "slowest": self._slowest,
        }


def summarise(lines: Iterable[bytes], top: int) -> dict[str, object]:
    """Add up the lines of a log."""
    reckoner = Reckoner(top)
    for line in lines:
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if line.strip(b" "):
            reckoner.take(understand(line))
    return reckoner.result()


def lines_of(paths: list[Path]) -> Iterator[bytes]:
    for path in paths:
        with path.open("rb") as file:
            yield from file


def natural_number(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is negative")
    return number


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path, help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=natural_number, default=5, help="how many of the slowest requests to list")
    parser.add_argument("--output", metavar="PATH", type=Path, help="where the summary goes")
    options = parser.parse_intermixed_args(arguments)
    try:
        summary = summarise(lines_of(options.files) if options.files else sys.stdin.buffer, options.top)
        if options.output is None:
            print(json.dumps(summary))
        else:
            options.output.write_text(json.dumps(summary), encoding="utf-8")
    except OSError as error:
        print(f"log_leviathan: {error.strerror}: {error.filename}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
