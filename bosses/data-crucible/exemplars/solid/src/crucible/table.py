"""The table: rows as dicts, with the value column turned into numbers."""

import csv
import math

from crucible.errors import InputError


def load_table(path, config):
    """Read and check a CSV file."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            header = reader.fieldnames or []
    except OSError as error:
        raise InputError(f"cannot open input {path}: {error.strerror}") from error
    return check_table(header, rows, config)


def check_table(header, rows, config):
    """Check the columns and convert the values."""
    if not rows:
        raise InputError("the CSV holds no data rows")
    for column in config["group_by"] + [config["value_field"]]:
        if column not in header:
            raise InputError(f"column {column} is not in the CSV")
    return [convert(row, config["value_field"]) for row in rows]


def convert(row, value_field):
    """A copy of the row with its value as a number."""
    if None in row.values():
        raise InputError(f"a row is too short: {[v for v in row.values() if v is not None]}")
    return {**row, value_field: to_number(row[value_field])}


def to_number(text):
    """The number a field holds."""
    try:
        number = float(text)
    except ValueError:
        raise InputError(f"not a number: {text!r}") from None
    if math.isnan(number) or math.isinf(number):
        raise InputError(f"not a usable number: {text!r}")
    return number
