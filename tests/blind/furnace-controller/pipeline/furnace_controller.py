"""Furnace controller, written as a chain of small steps.

load -> check -> judge -> tell.  A step either hands its result to the next one or raises Unusable.
"""

import json
import math
import sys
from collections import namedtuple

Order = namedtuple("Order", "file target tolerance")
Answer = namedtuple("Answer", "word status")

HEAT = Answer("HEAT", 10)
COOL = Answer("COOL", 11)
STABLE = Answer("STABLE", 0)

USAGE = "usage: furnace_controller.py --input FILE --target-temp T [--tolerance D]"


class Unusable(Exception):
    """The file can't be used. The text says why."""


class WrongUsage(Exception):
    """The command line can't be used."""


def read_order(words):
    """The order that the words of the command line give."""
    given = {"--tolerance": "1.0"}
    rest = iter(words)
    for option in rest:
        if option not in ("--input", "--target-temp", "--tolerance"):
            raise WrongUsage(f"what is {option}?")
        try:
            given[option] = next(rest)
        except StopIteration:
            raise WrongUsage(f"{option} wants a value") from None
    try:
        return Order(given["--input"], float(given["--target-temp"]), float(given["--tolerance"]))
    except KeyError as missing:
        raise WrongUsage(f"{missing.args[0]} is missing") from None
    except ValueError as error:
        raise WrongUsage(str(error)) from None


def load(path):
    """The JSON value in a file."""
    try:
        with open(path, "rb") as file:
            return json.loads(file.read().decode("utf-8"))
    except OSError as error:
        raise Unusable(f"can't be opened ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise Unusable("is no UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise Unusable(f"is no JSON (line {error.lineno}: {error.msg})") from error


def check(document):
    """The readings in a document, once each of them is known to be a number."""
    match document:
        case {"readings": [_, *_] as readings}:
            pass
        case {"readings": []}:
            raise Unusable("has an empty list of readings")
        case {"readings": _}:
            raise Unusable("has readings that are no list")
        case {}:
            raise Unusable("has no readings")
        case _:
            raise Unusable("does not hold an object")
    for place, reading in enumerate(readings, start=1):
        if type(reading) not in (int, float) or not math.isfinite(reading):
            raise Unusable(f"has a reading that is no number: {reading!r}, number {place} of {len(readings)}")
    return readings


def judge(readings, target, tolerance):
    """What the furnace should do."""
    average = math.fsum(readings) / len(readings)
    if average < target - tolerance:
        return HEAT
    if average > target + tolerance:
        return COOL
    return STABLE


def main(words):
    try:
        order = read_order(words)
        answer = judge(check(load(order.file)), order.target, order.tolerance)
    except WrongUsage as error:
        print(error, USAGE, sep="\n", file=sys.stderr)
        return 2
    except Unusable as error:
        print(f"{order.file} {error}", file=sys.stderr)
        return 1
    print(answer.word)
    return answer.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
