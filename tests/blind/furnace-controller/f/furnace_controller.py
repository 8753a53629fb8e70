"""Tell a furnace to heat, to cool or to hold, even if a sensor is broken."""

from __future__ import annotations

import argparse
import json
import logging
import math
import sys
from dataclasses import dataclass
from typing import Any

log = logging.getLogger("furnace_controller")

STABLE, HEAT, COOL = "STABLE", "HEAT", "COOL"
EXIT_STATUS = {STABLE: 0, HEAT: 10, COOL: 11}
BAD_INPUT = 1


class BadInput(ValueError):
    """The input is of no use."""


@dataclass(frozen=True)
class Limits:
    """The band of temperatures that are fine."""

    target: float
    tolerance: float

    def decide(self, average: float) -> str:
        """Return the decision for an average."""
        if average < self.target - self.tolerance:
            return HEAT
        if average > self.target + self.tolerance:
            return COOL
        return STABLE


def is_number(reading: Any) -> bool:
    """Tell whether a reading can be used."""
    return isinstance(reading, (int, float)) and not isinstance(reading, bool) and math.isfinite(reading)


def clean(readings: list) -> list[float]:
    """Return the readings that can be used; log the others by their place."""
    usable = []
    for place, reading in enumerate(readings):
        if is_number(reading):
            usable.append(reading)
        else:
            log.warning("reading %d is spoiled and left out: %r", place, reading)
    if not usable:
        raise BadInput("no usable readings")
    return usable


def mean(readings: list[float]) -> float:
    """Return the arithmetic mean."""
    return math.fsum(readings) / len(readings)


def load(path: str) -> list:
    """Return the list of readings in a file, whatever is in it."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise BadInput(f"can't read it: {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadInput(f"not JSON: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("readings"), list):
        raise BadInput("no object with a list of readings")
    return document["readings"]


def main(argv: list[str] | None = None) -> int:
    """Run once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", required=True, metavar="FILE")
    parser.add_argument("--target-temp", type=float, required=True, metavar="T")
    parser.add_argument("--tolerance", type=float, default=1.0, metavar="D")
    options = parser.parse_args(argv)
    try:
        readings = clean(load(options.input))
    except BadInput as error:
        log.error("%s: %s", options.input, error)
        return BAD_INPUT
    decision = Limits(options.target_temp, options.tolerance).decide(mean(readings))
    print(decision)
    return EXIT_STATUS[decision]


if __name__ == "__main__":
    logging.basicConfig(format="%(levelname)s: %(message)s")
    sys.exit(main())
