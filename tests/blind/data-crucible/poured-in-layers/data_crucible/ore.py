"""From the lines of a CSV to (key, number) pairs."""

import csv
import re
from fractions import Fraction

from .slip import Refused

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)


def number(text, line):
    """The exact number that a field stands for."""
    if not NUMBER.fullmatch(text.strip(" ")):
        raise Refused(f"line {line}: {text!r} is not a number")
    return Fraction(text.strip(" "))


def pairs(lines, slip, origin):
    """A (group values, number) pair for each row, lazily."""
    reader = csv.reader(lines)
    header = next(reader, None)
    if header is None:
        raise Refused(f"{origin} is empty")
    unknown = [name for name in slip.needed if name not in header]
    if unknown:
        raise Refused(f"{origin} has no column {', '.join(unknown)}")
    places = [header.index(name) for name in slip.columns]
    value_place = header.index(slip.value)
    rows = 0
    for row in reader:
        rows += 1
        if len(row) < len(header):
            raise Refused(f"{origin}, line {reader.line_num}: {len(row)} fields instead of {len(header)}")
        yield tuple(row[place] for place in places), number(row[value_place], reader.line_num)
    if not rows:
        raise Refused(f"{origin} has a header but no rows")
