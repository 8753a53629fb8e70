"""Read groups and values from a CSV."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from melting import Group

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


class InputError(Exception):
    """The CSV or the config can't be used."""


def to_decimal(text: str) -> Decimal:
    if not NUMBER.fullmatch(text):
        raise InputError(f"{text!r} is not a number")
    return Decimal(text)


def samples(lines: Iterable[str], group_by: Sequence[str], value_field: str) -> Iterator[tuple[Group, Decimal]]:
    """Group and value of each row. Rows with a blank value are passed over."""
    reader = csv.DictReader(lines)
    header = reader.fieldnames or []
    missing = [name for name in (*group_by, value_field) if name not in header]
    if missing:
        raise InputError(f"the CSV lacks the columns {', '.join(missing)}")
    for row in reader:
        if any(row[name] is None for name in header):
            raise InputError(f"line {reader.line_num} is too short")
        text = row[value_field].strip()
        if text:
            yield tuple(row[name] for name in group_by), to_decimal(text)
