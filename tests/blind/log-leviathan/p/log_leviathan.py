"""Summarise logs of any length in one pass.

Try it:  python log_leviathan.py harbour.log --top 3
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable
from datetime import datetime

LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
COMPONENT = re.compile(r"[a-zA-Z0-9._-]+")


def split_line(text: str) -> tuple[str, str, str, str] | None:
    """Time, level, component and message, or None if the line is malformed."""
    parts = text.split(" ", 3)
    if len(parts) != 4:
        return None
    time, level, component, message = parts
    try:
        datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        return None
    if level not in LEVELS or not COMPONENT.fullmatch(component):
        return None
    if not message or message[0] == " ":
        return None
    return time, level, component, message


def summarise(lines: Iterable[bytes], top: int) -> dict[str, object]:
    """Add up the lines of a log."""
    total = 0
    malformed = 0
    first = last = None
    levels = {level: 0 for level in LEVELS}
    components: dict[str, dict[str, int]] = {}
    errors = 0
    for raw in lines:
        text = raw.decode("utf-8", errors="replace").rstrip("\r\n")
        if not text.strip(" "):
            continue
        total += 1
        entry = split_line(text)
        if entry is None:
            malformed += 1
            continue
        time, level, component, message = entry
        first = time if first is None else min(first, time)
        last = time if last is None else max(last, time)
        levels[level] += 1
        counted = components.setdefault(component, {"lines": 0, "errors": 0})
        counted["lines"] += 1
        if level in ("ERROR", "CRITICAL"):
            counted["errors"] += 1
            errors += 1
    good = total - malformed
    return {
        "lines": total,
        "malformed": malformed,
        "first": first,
        "last": last,
        "levels": levels,
        "components": components,
        "error_rate": errors / good if good else None,
        # TODO requests: keep the top ones in a heap
        "requests": 0,
        "slowest": [],
    }


def read_all(files: list[str]) -> Iterable[bytes]:
    if not files:
        yield from sys.stdin.buffer
    for name in files:
        with open(name, "rb") as log:
            yield from log


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", nargs="*", help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=int, default=5, help="how many of the slowest requests to list")
    parser.add_argument("--output", metavar="PATH", help="where the summary goes")
    options = parser.parse_intermixed_args(arguments)
    # TODO negative --top
    try:
        summary = summarise(read_all(options.files), options.top)
    except FileNotFoundError as error:
        print(f"no such file: {error.filename}", file=sys.stderr)
        return 1
    if options.output:
        with open(options.output, "w") as out:
            json.dump(summary, out)
    else:
        print(json.dumps(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
