"""The rim: options in, one line of log out; what is wrong with a file goes to standard output."""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction

from hearth.rule import mean, order_for
from hearth.sheet import Unreadable, extract, fetch, parse

USAGE = "usage: furnace_controller.py --input FILE --target-temp T [--tolerance D]"
BAD_INPUT, BAD_USAGE = 1, 2
UNLESS_GIVEN = {"--tolerance": Fraction(1)}

log = logging.getLogger("hearth")


class Misused(Exception):
    """The command line is not one of ours."""


def number(text: str) -> Fraction:
    """A number from the command line.

    Raises:
        ValueError: It is none, or not a finite one.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return Fraction(value)


def settings(words: Sequence[str]) -> dict[str, object]:
    """The value of each option; options come in pairs with their values.

    Raises:
        Misused: One is unknown or missing, or has no value that makes sense.
    """
    readers: dict[str, Callable[[str], object]] = {"--input": str, "--target-temp": number, "--tolerance": number}
    if len(words) % 2:
        raise Misused("each option takes one value")
    given: dict[str, object] = dict(UNLESS_GIVEN)
    for name, text in zip(words[::2], words[1::2]):
        if name not in readers:
            raise Misused(f"there is no option {name}")
        try:
            given[name] = readers[name](text)
        except ValueError as error:
            raise Misused(f"{name} takes a number, not {text}") from error
    missing = [name for name in readers if name not in given]
    if missing:
        raise Misused(f"{missing[0]} is missing")
    return given


def main(argv: Sequence[str] | None = None) -> int:
    """Give one order; the exit status says which."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", force=True)
    try:
        given = settings(sys.argv[1:] if argv is None else argv)
    except Misused as error:
        print(f"{error}\n{USAGE}", file=sys.stderr)
        return BAD_USAGE
    try:
        readings = extract(parse(fetch(given["--input"])))
    except Unreadable as error:
        print(f"no order can be given: {error}")
        return BAD_INPUT
    average = mean(readings)
    order = order_for(average, given["--target-temp"], given["--tolerance"])
    log.info("average %.3f of %d readings, order: %s", float(average), len(readings), order.word)
    return order.status
