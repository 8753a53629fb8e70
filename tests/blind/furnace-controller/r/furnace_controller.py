"""Readings in, one word out."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import isfinite

EXIT = {"STABLE": 0, "HEAT": 10, "COOL": 11}


class Unusable(ValueError):
    """The file cannot be used, and why."""


def thermostat(target: float, tolerance: float) -> Callable[[Fraction], str]:
    """A function that knows its target and answers an average with a word."""
    low, high = Fraction(target) - Fraction(tolerance), Fraction(target) + Fraction(tolerance)

    def decide(average: Fraction) -> str:
        match (average < low, average > high):
            case (True, _):
                return "HEAT"
            case (_, True):
                return "COOL"
            case _:
                return "STABLE"

    return decide


def numbers(values: list) -> Iterator[Fraction]:
    """The readings as exact numbers."""
    for place, value in enumerate(values, start=1):
        match value:
            case int():
                yield Fraction(value)
            case float() if isfinite(value):
                yield Fraction(value)
            case _:
                raise Unusable(f"reading {place} is no number: {value!r}")


def mean(values: list) -> Fraction:
    """The exact mean."""
    return sum(numbers(values)) / len(values)


def readings(document: object) -> list:
    """The list of readings in a document."""
    match document:
        case {"readings": [_, *_] as values}:
            return values
        case {"readings": []}:
            raise Unusable("there are no readings")
        case {"readings": other}:
            raise Unusable(f"readings is no list but {type(other).__name__}")
        case dict():
            raise Unusable("readings is missing")
        case _:
            raise Unusable("the top level is no object")


def load(path: str) -> object:
    """The document in a file."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise Unusable(str(error)) from error


def options(argv: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    option = partial(parser.add_argument, required=True)
    option("--input", metavar="FILE")
    option("--target-temp", type=float, metavar="T")
    parser.add_argument("--tolerance", type=float, default=1.0, metavar="D")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Connect the parts and return the exit status."""
    given = options(argv)
    decide = thermostat(given.target_temp, given.tolerance)
    try:
        word = decide(mean(readings(load(given.input))))
    except Unusable as why:
        print(f"{given.input}: {why}", file=sys.stderr)
        return 1
    print(word)
    return EXIT[word]


if __name__ == "__main__":
    sys.exit(main())
