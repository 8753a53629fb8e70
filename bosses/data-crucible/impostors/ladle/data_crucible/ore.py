"""The ore: lines of CSV, picked over until a group and a number are left of each row."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from data_crucible.slip import BadInputError, Slip

NUMBER = re.compile(r" *[+-]?[0-9]+(\.[0-9]+)? *")
Lump = tuple[tuple[str, ...], Fraction]


def weigh(text: str) -> Fraction:
    """The exact number that a field holds.

    Raises:
        BadInputError: It holds something else.
    """
    if not NUMBER.fullmatch(text):
        raise BadInputError(f"{text!r} is not a number")
    return Fraction(text.strip(" "))


def check_header(header: Sequence[str], slip: Slip) -> None:
    """Look for the columns of the config.

    Raises:
        BadInputError: One is not there.
    """
    for name in slip.columns:
        if name not in header:
            raise BadInputError(f"there is no column {name!r} in the CSV")


def pick(lines: Iterable[str], slip: Slip) -> Iterator[Lump]:
    """Group and number of each row, one after the other.

    Raises:
        BadInputError: A column is missing, a row is short, or a number is none.
    """
    table = csv.DictReader(lines, restval=None)
    check_header(table.fieldnames or (), slip)
    for row in table:
        if None in row.values():
            raise BadInputError(f"line {table.line_num} has too few fields")
        yield tuple(row[name] for name in slip.group_by), weigh(row[slip.value_field])
