"""Command line of the leviathan."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from log_leviathan.grammar import parse
from log_leviathan.report import build_report
from log_leviathan.tally import Tally


def lines_of(paths):
    """Raw lines of all files one after the other, or of standard input."""
    if not paths:
        yield from sys.stdin.buffer
    for path in paths:
        with open(path, "rb") as log:
            yield from log


def strip_end(raw: bytes) -> bytes:
    if raw.endswith(b"\r\n"):
        return raw[:-2]
    return raw.removesuffix(b"\n")


def count_lines(raw_lines, top: int) -> Tally:
    tally = Tally(top)
    for raw in raw_lines:
        raw = strip_end(raw)
        if raw.strip(b" "):
            tally.add(parse(raw))
    return tally


def non_negative(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def parse_arguments(argv):
    parser = argparse.ArgumentParser(prog="log_leviathan")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--top", type=non_negative, default=5, metavar="N")
    parser.add_argument("--output", metavar="PATH")
    return parser.parse_intermixed_args(argv)


def main(argv=None) -> int:
    args = parse_arguments(argv)
    try:
        report = json.dumps(build_report(count_lines(lines_of(args.files), args.top)), indent=2)
        if args.output is None:
            print(report)
        else:
            Path(args.output).write_text(report + "\n", encoding="utf-8")
    except OSError as problem:
        print(f"log_leviathan: {problem.filename}: {problem.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
