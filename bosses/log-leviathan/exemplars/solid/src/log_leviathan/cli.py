"""The command line."""

import argparse
import json
import sys

from log_leviathan.source import lines_of
from log_leviathan.tally import Tally


def options_of(arguments):
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="log_leviathan")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--top", type=int, default=5)
    parser.add_argument("--output")
    options = parser.parse_intermixed_args(arguments)
    if options.top < 0:
        parser.error("--top must not be negative")
    return options


def run(options):
    """Read, add up, tell."""
    tally = Tally(options.top)
    for line in lines_of(options.files):
        tally.take(line)
    text = json.dumps(tally.summary(), indent=2)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text)


def main(arguments):
    """Run and return the exit status."""
    try:
        run(options_of(arguments))
    except OSError as error:
        print(f"log_leviathan: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0
