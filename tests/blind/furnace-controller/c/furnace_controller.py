"""Tell a furnace to heat, to cool or to hold, from a file of readings."""

import argparse
import json
import math
import sys

EXIT_STATUS = {"STABLE": 0, "HEAT": 10, "COOL": 11}
EXIT_BAD_INPUT = 1


class BadInput(Exception):
    """The file can't be used; the message says why."""


def decide(readings, target, tolerance):
    """Return HEAT, COOL or STABLE; both edges of the tolerance are STABLE."""
    average = math.fsum(readings) / len(readings)
    if average < target - tolerance:
        return "HEAT"
    if average > target + tolerance:
        return "COOL"
    return "STABLE"


def check_readings(document):
    """Return the readings of a parsed document, or raise BadInput."""
    if not isinstance(document, dict):
        raise BadInput("the top level is not an object")
    readings = document.get("readings")
    if not isinstance(readings, list) or not readings:
        raise BadInput('"readings" is missing, no list, or empty')
    for place, reading in enumerate(readings, start=1):
        if isinstance(reading, bool) or not isinstance(reading, (int, float)) or not math.isfinite(reading):
            raise BadInput(f"reading {place} is not a number: {reading!r}")
    return readings


def load_readings(path):
    """Return the readings in a file, or raise BadInput."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise BadInput(error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not valid JSON: {error}") from error
    return check_readings(document)


def parse_options(argv):
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="Tell a furnace what to do.")
    parser.add_argument("--input", required=True, metavar="FILE", help="JSON file of readings")
    parser.add_argument("--target-temp", type=float, required=True, metavar="T", help="temperature to hold")
    parser.add_argument("--tolerance", type=float, default=1.0, metavar="D", help="allowed distance (default: 1.0)")
    return parser.parse_args(argv)


def main(argv=None):
    """Run once and return the exit status."""
    options = parse_options(argv)
    try:
        readings = load_readings(options.input)
    except BadInput as error:
        print(f"error: {options.input}: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT
    decision = decide(readings, options.target_temp, options.tolerance)
    print(decision)
    return EXIT_STATUS[decision]


if __name__ == "__main__":
    sys.exit(main())
