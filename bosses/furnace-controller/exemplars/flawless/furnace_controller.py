"""Tell a furnace to heat, to cool or to hold, from the average of its readings."""

from __future__ import annotations

import argparse
import json
import logging
import math
import sys
from collections.abc import Sequence
from pathlib import Path

DEFAULT_TOLERANCE = 1.0
EXIT_BAD_INPUT = 1
EXIT_STATUS = {"STABLE": 0, "HEAT": 10, "COOL": 11}

log = logging.getLogger("furnace")


class BadInput(Exception):
    """The file of readings can't be used; the message says why."""


def decide(readings: Sequence[float], target: float, tolerance: float = DEFAULT_TOLERANCE) -> str:
    """Choose HEAT, COOL or STABLE for these readings; both edges of the tolerance are STABLE."""
    average = sum(readings) / len(readings)
    if average < target - tolerance:
        return "HEAT"
    if average > target + tolerance:
        return "COOL"
    return "STABLE"


def is_temperature(value: object) -> bool:
    """Whether a JSON value is a finite number. Python counts booleans as numbers; a sensor does not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def check_readings(document: object) -> list[float]:
    """Take the readings out of a parsed document.

    Raises:
        BadInput: The document doesn't have the agreed shape.
    """
    if not isinstance(document, dict):
        raise BadInput("the top level must be an object")
    readings = document.get("readings")
    if not isinstance(readings, list) or not readings:
        raise BadInput('"readings" must be a list of at least one number')
    for position, value in enumerate(readings, start=1):
        if not is_temperature(value):
            raise BadInput(f"reading {position} is not a number: {json.dumps(value)}")
    return readings


def load_readings(path: Path) -> list[float]:
    """Read and check a file of readings.

    Raises:
        BadInput: The file can't be read, or what it holds can't be used.
    """
    try:
        return check_readings(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadInput(error.strerror or "it can't be read") from error
    except UnicodeDecodeError as error:
        raise BadInput("it is not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise BadInput(f"it is not JSON: {error}") from error


def build_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", type=Path, required=True, metavar="FILE", help="JSON file of readings")
    parser.add_argument("--target-temp", type=float, required=True, metavar="T", help="temperature to hold")
    parser.add_argument("--tolerance", type=float, default=DEFAULT_TOLERANCE, metavar="D", help="allowed distance")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the controller and return its exit status."""
    options = build_parser().parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", force=True)
    try:
        readings = load_readings(options.input)
    except BadInput as error:
        log.error("%s can't be used: %s", options.input, error)
        return EXIT_BAD_INPUT
    decision = decide(readings, options.target_temp, options.tolerance)
    log.info("%d readings, target %g, tolerance %g", len(readings), options.target_temp, options.tolerance)
    print(decision)
    return EXIT_STATUS[decision]


if __name__ == "__main__":
    sys.exit(main())
