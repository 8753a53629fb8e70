"""Tell a furnace what to do, with functions."""

import argparse
import json
import math
import sys
from pathlib import Path
from statistics import fmean

STATUS = {"STABLE": 0, "HEAT": 10, "COOL": 11}


def make_rule(target, tolerance):
    """Return a function from an average to a decision."""

    def rule(average):
        match (average < target - tolerance, average > target + tolerance):
            case (True, _):
                return "HEAT"
            case (_, True):
                return "COOL"
            case _:
                return "STABLE"

    return rule


def numbers(items):
    """Yield the items, as long as they are numbers."""
    for item in items:
        match item:
            case int() | float() if math.isfinite(item):
                yield item
            case other:
                raise ValueError(f"not a number: {other!r}")


def readings_of(document):
    """Take the readings out of a document."""
    match document:
        case {"readings": [_, *_] as items}:
            return list(numbers(items))
        case {"readings": _}:
            raise ValueError("readings must be a list that is not empty")
        case dict():
            raise ValueError("no readings")
        case _:
            raise ValueError("not an object")


def read(path):
    """Read a file of readings."""
    return readings_of(json.loads(Path(path).read_text(encoding="utf-8")))


def options(argv):
    """Parse the command line."""
    parser = argparse.ArgumentParser()
    for name, settings in {
        "--input": {"required": True},
        "--target-temp": {"required": True, "type": float},
        "--tolerance": {"default": 1.0, "type": float},
    }.items():
        parser.add_argument(name, **settings)
    return parser.parse_args(argv)


def main(argv=None):
    """Connect the functions."""
    args = options(argv)
    try:
        readings = read(args.input)
    except (OSError, ValueError) as error:
        print(f"{args.input}: {error}", file=sys.stderr)
        return 1
    decision = make_rule(args.target_temp, args.tolerance)(fmean(readings))
    print(decision)
    return STATUS[decision]


if __name__ == "__main__":
    sys.exit(main())
