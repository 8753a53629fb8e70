"""Summarise logs of any length in one pass.

Try it:  python log_leviathan.py harbour.log --top 3
"""

import argparse
import json
import re
import sys
from dataclasses import dataclass

LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]


@dataclass
class Line:
    time: str
    level: str
    component: str
    message: str


def parse_line(text: str) -> Line | None:
    """One line, or None if it is malformed."""
    parts = text.split(" ", 3)
    if len(parts) != 4 or parts[1] not in LEVELS:
        return None
    # TODO: the calendar
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", parts[0]):
        return None
    return Line(*parts)


def is_request(line: Line) -> bool:
    return line.message.endswith("ms") and len(line.message.split(" ")) == 4


def summarise(lines, top: int) -> dict[str, object]:
    """Add up the lines of a log."""
    parsed = [parse_line(raw.decode().strip()) for raw in lines if raw.strip()]
    good = [line for line in parsed if line is not None]
    return {
        "lines": len(parsed),
        "malformed": len(parsed) - len(good),
        "first": good[0].time if good else None,
        "last": good[-1].time if good else None,
        "levels": {level: sum(line.level == level for line in good) for level in LEVELS},
        "components": {line.component: {"lines": 0, "errors": 0} for line in good},
        "error_rate": sum(line.level in ("ERROR", "CRITICAL") for line in good) / len(good) if good else 0,
        "requests": sum(is_request(line) for line in good),
        "slowest": slowest(good, top),
    }


def slowest(lines: list[Line], top: int) -> list[dict[str, object]]:
    # TODO
    return []


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", nargs="*", help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=int, default=5, help="how many of the slowest requests to list")
    parser.add_argument("--output", metavar="PATH", help="where the summary goes")
    options = parser.parse_intermixed_args(arguments)
    lines = []
    for name in options.files:
        lines += open(name, "rb").readlines()
    if not options.files:
        lines = sys.stdin.buffer.readlines()
    print(json.dumps(summarise(lines, options.top)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
