"""
Furnace Controller
==================

This program reads temperature readings from a JSON file, computes their average and compares the average with a
target temperature.  The result of the comparison is one of the three decisions ``HEAT``, ``COOL`` and ``STABLE``.

Exit codes
----------
    0   STABLE
    10  HEAT
    11  COOL
    1   the input could not be processed
"""

import argparse
import json
import logging
import sys

logger = logging.getLogger(__name__)

EXIT_CODES = {"STABLE": 0, "HEAT": 10, "COOL": 11}
EXIT_ERROR = 1


class FurnaceError(Exception):
    """
    Raised when the input file can not be processed.

    The message of the exception describes the problem.
    """


def load_readings(path):
    """
    Load the readings from a JSON file.

    The file has to contain an object with the key ``readings``.  Every reading is converted to a floating point
    number.

    Args:
        path: The path of the JSON file.

    Returns:
        A list of floats.

    Raises:
        FurnaceError: If anything goes wrong.
    """
    try:
        with open(path, encoding="utf-8") as handle:
            data = json.load(handle)
    except Exception as exc:
        raise FurnaceError(f"Could not read {path}: {exc}")
    try:
        readings = [float(reading) for reading in data["readings"]]
    except Exception as exc:
        raise FurnaceError(f"Invalid readings in {path}: {exc!r}")
    if len(readings) == 0:
        raise FurnaceError(f"No readings in {path}")
    return readings


def compute_average(readings):
    """
    Compute the arithmetic mean of the readings.

    Args:
        readings: A list of floats with at least one element.

    Returns:
        The average as a float.
    """
    return sum(readings) / len(readings)


def make_decision(average, target, tolerance):
    """
    Decide what the furnace should do.

    Both edges of the tolerance belong to the stable range.

    Args:
        average: The average temperature.
        target: The target temperature.
        tolerance: The allowed distance from the target.

    Returns:
        One of the strings "HEAT", "COOL" and "STABLE".
    """
    if average < target - tolerance:
        return "HEAT"
    if average > target + tolerance:
        return "COOL"
    return "STABLE"


def build_parser():
    """
    Build the parser of the command line.

    Returns:
        An argparse.ArgumentParser.
    """
    parser = argparse.ArgumentParser(description="Furnace controller")
    parser.add_argument("--input", required=True, help="JSON file with the readings")
    parser.add_argument("--target-temp", required=True, type=float, help="target temperature")
    parser.add_argument("--tolerance", default=1.0, type=float, help="allowed distance from the target")
    return parser


def main(argv=None):
    """
    Run the furnace controller.

    Args:
        argv: The arguments, or None for those of the process.

    Returns:
        The exit code.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    args = build_parser().parse_args(argv)
    try:
        readings = load_readings(args.input)
        average = compute_average(readings)
        decision = make_decision(average, args.target_temp, args.tolerance)
        logger.info("average of %d readings: %s", len(readings), average)
        print(decision)
        return EXIT_CODES[decision]
    except FurnaceError as exc:
        logger.error("%s", exc)
        return EXIT_ERROR
    except Exception as exc:
        logger.exception("Unexpected error: %s", exc)
        return EXIT_ERROR


if __name__ == "__main__":
    sys.exit(main())
