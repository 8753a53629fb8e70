"""Decide what a furnace has to do next."""

import argparse
import json
import logging
import math
import sys

logger = logging.getLogger("furnace_controller")

HEAT = "HEAT"
COOL = "COOL"
STABLE = "STABLE"
EXIT_CODES = {STABLE: 0, HEAT: 10, COOL: 11}
EXIT_INVALID = 1


class InvalidInput(Exception):
    """The operator's file is of no use."""


class ReadingsFile:
    """A JSON file with a list of readings."""

    def __init__(self, path):
        """Remember the path; nothing is opened yet."""
        self.path = path

    def readings(self):
        """Return the readings, or raise InvalidInput."""
        document = self._parse()
        if not isinstance(document, dict):
            raise InvalidInput("expected an object at the top level")
        try:
            readings = document["readings"]
        except KeyError:
            raise InvalidInput("readings are missing") from None
        if not isinstance(readings, list):
            raise InvalidInput("readings are not a list")
        if not readings:
            raise InvalidInput("there are no readings")
        for number, reading in enumerate(readings, 1):
            self._check(number, reading)
        return readings

    def _parse(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                return json.load(file)
        except OSError as error:
            raise InvalidInput(f"can't be opened: {error}") from error
        except json.JSONDecodeError as error:
            raise InvalidInput(f"is not valid JSON: {error}") from error

    @staticmethod
    def _check(number, reading):
        if isinstance(reading, bool) or not isinstance(reading, (int, float)):
            raise InvalidInput(f"reading no. {number} is a {type(reading).__name__}, not a number")
        if not math.isfinite(reading):
            raise InvalidInput(f"reading no. {number} is {reading}")


class Furnace:
    """A furnace that should stay near a temperature."""

    def __init__(self, target, tolerance=1.0):
        """Take the temperature and how far away it may be."""
        self.low = target - tolerance
        self.high = target + tolerance

    def decide(self, readings):
        """Return the decision for a list of readings."""
        average = math.fsum(readings) / len(readings)
        if average < self.low:
            return HEAT
        if average > self.high:
            return COOL
        return STABLE


def get_options(argv):
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Decide what a furnace has to do next.")
    parser.add_argument("--input", required=True)
    parser.add_argument("--target-temp", type=float, required=True)
    parser.add_argument("--tolerance", type=float, default=1.0)
    return parser.parse_args(argv)


def main(argv=None):
    """Run the program and return its exit status."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    options = get_options(argv)
    try:
        readings = ReadingsFile(options.input).readings()
    except InvalidInput as error:
        logger.error("%s: %s", options.input, error)
        return EXIT_INVALID
    decision = Furnace(options.target_temp, options.tolerance).decide(readings)
    logger.info("decision: %s", decision)
    return EXIT_CODES[decision]


if __name__ == "__main__":
    sys.exit(main())
