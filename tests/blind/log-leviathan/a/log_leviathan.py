"""Summarise logs of any length in one pass.

    lines -> sound lines -> (counted) -> requests -> nlargest
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from heapq import nlargest
from itertools import chain
from operator import itemgetter

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LINE = re.compile(rf"([\d-]{{10}}T[\d:]{{8}}\.\d{{3}}Z) ({'|'.join(LEVELS)}) ([\w.-]+) (.+)", re.ASCII | re.DOTALL)
REQUEST = re.compile(r"([A-Z]+ /\S*) (\d{3}) (\d+)ms", re.ASCII)

Entry = tuple[str, str, str, str]


def parse(line: bytes) -> Entry | None:
    """(time, level, component, message), or None for a malformed line."""
    try:
        match LINE.fullmatch(line.decode()):
            case None:
                return None
            case found:
                time, level, component, message = found.groups()
                datetime.fromisoformat(time)
                return time, level, component, message
    except ValueError:
        return None


def to_request(entry: Entry) -> dict[str, object] | None:
    time, _, component, message = entry
    match REQUEST.fullmatch(message):
        case None:
            return None
        case found:
            request, status, ms = found.groups()
            return {"ms": int(ms), "time": time, "component": component, "request": request, "status": int(status)}


def without_end(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r")


def counting() -> tuple[Callable, Callable, Callable]:
    """Three functions with one memory: let entries pass, let requests pass, tell what passed."""
    levels, lines, errors = Counter(), Counter(), Counter()
    malformed = requests = 0
    first = last = None

    def pass_entries(entries: Iterable[Entry | None]) -> Iterator[Entry]:
        nonlocal malformed, first, last
        for entry in entries:
            match entry:
                case None:
                    malformed += 1
                    continue
                case (time, ("ERROR" | "CRITICAL") as level, component, _):
                    errors[component] += 1
                case (time, level, component, _):
                    pass
            levels[level] += 1
            lines[component] += 1
            first = min(first or time, time)
            last = max(last or time, time)
            yield entry

    def pass_requests(found: Iterable[dict | None]) -> Iterator[dict]:
        nonlocal requests
        for request in filter(None, found):
            requests += 1
            yield request

    def tell(slowest: list[dict]) -> dict[str, object]:
        sound = sum(lines.values())
        return {
            "lines": sound + malformed,
            "malformed": malformed,
            "first": first,
            "last": last,
            "levels": {level: levels[level] for level in LEVELS},
            "components": {name: {"lines": count, "errors": errors[name]} for name, count in lines.items()},
            "error_rate": sum(errors.values()) / sound if sound else None,
            "requests": requests,
            "slowest": slowest,
        }

    return pass_entries, pass_requests, tell


def summarise(lines: Iterable[bytes], top: int) -> dict[str, object]:
    pass_entries, pass_requests, tell = counting()
    entries = map(parse, filter(lambda line: line.strip(b" "), map(without_end, lines)))
    requests = pass_requests(map(to_request, pass_entries(entries)))
    return tell(nlargest(top, requests, key=itemgetter("ms")))


def lines_of(name: str) -> Iterator[bytes]:
    with open(name, "rb") as file:
        yield from file


def whole(text: str) -> int:
    match int(text):
        case number if number >= 0:
            return number
    raise ValueError(text)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", nargs="*")
    parser.add_argument("--top", metavar="N", type=whole, default=5)
    parser.add_argument("--output", metavar="PATH")
    options = parser.parse_intermixed_args(arguments)
    source = chain.from_iterable(map(lines_of, options.files)) if options.files else sys.stdin.buffer
    try:
        told = json.dumps(summarise(source, options.top))
        match options.output:
            case None:
                print(told)
            case path:
                with open(path, "w") as file:
                    print(told, file=file)
    except OSError as error:
        print(f"log_leviathan: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
