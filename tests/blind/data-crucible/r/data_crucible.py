"""Pour a CSV through a JSON order slip: rows in, groups out."""

import argparse
import csv
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from itertools import chain
from operator import itemgetter

Row = dict[str, str]
Key = tuple[str, ...]
Totals = dict[Key, tuple[Fraction, int]]

NUMBER = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*")


class Slag(Exception):
    """What cannot be melted, in words."""


@contextmanager
def pointing_at(path: str) -> Iterator[None]:
    """Turn the errors of a file into one that names it."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        raise Slag(f"{path}: {error}") from error


def slip_from(document: object) -> tuple[list[str], str]:
    """The columns to group by and the one to add up."""
    match document:
        case {"group_by": [str(), *_] as columns, "value_field": str() as value} if all(
            isinstance(column, str) for column in columns
        ):
            return columns, value
        case {"group_by": _, "value_field": str()}:
            raise Slag("group_by must be a list of one or more column names")
        case {"group_by": _, "value_field": _}:
            raise Slag("value_field must be a column name")
        case dict():
            raise Slag("missing in the config: " + ", ".join({"group_by", "value_field"} - document.keys()))
        case _:
            raise Slag("the config must be a JSON object")


def read_slip(path: str) -> tuple[list[str], str]:
    """Read and check the config file."""
    with pointing_at(path), open(path, encoding="utf-8") as file:
        try:
            document = json.load(file)
        except json.JSONDecodeError as error:
            raise Slag(f"{path} is not JSON: {error}") from error
    return slip_from(document)


def rows_of(lines: Iterable[str], wanted: Iterable[str]) -> Iterator[Row]:
    """Rows as dicts; refuses a header without the wanted columns, short rows, and an empty table."""
    reader = csv.reader(lines)
    header = next(reader, [])
    match [column for column in wanted if column not in header]:
        case [missing, *_] if header:
            raise Slag(f"no column {missing!r} in the header")
    first = next(reader, None)
    if first is None:
        raise Slag("the table has no rows")
    for number, fields in enumerate(chain([first], reader), start=1):
        if len(fields) < len(header):
            raise Slag(f"row {number} has {len(fields)} fields instead of {len(header)}")
        yield dict(zip(header, fields))


def melt(text: str) -> Fraction:
    """The exact number that a text stands for."""
    match NUMBER.fullmatch(text):
        case None:
            raise Slag(f"not a number: {text!r}")
        case found:
            return Fraction(found[1])


def pouring(key_of: Callable[[Row], Key], value_of: Callable[[Row], Fraction]) -> Callable[[Totals, Row], Totals]:
    """A step of the fold: one more row in the totals."""

    def pour(totals: Totals, row: Row) -> Totals:
        key = key_of(row)
        total, count = totals.get(key, (Fraction(), 0))
        totals[key] = (total + value_of(row), count + 1)
        return totals

    return pour


def aggregate(rows: Iterable[Row], group_by: list[str], value_field: str) -> list[dict[str, object]]:
    """Sum, count and average of each group, sorted by group."""
    pour = pouring(
        key_of=lambda row: tuple(map(row.__getitem__, group_by)),
        value_of=lambda row: melt(row[value_field]),
    )
    return [
        dict(zip(group_by, key)) | {"sum": float(total), "count": count, "avg": float(total / count)}
        for key, (total, count) in sorted(reduce(pour, rows, {}).items(), key=itemgetter(0))
    ]


def crucible(input_path: str, config_path: str) -> list[dict[str, object]]:
    """From two paths to the finished list."""
    group_by, value_field = read_slip(config_path)
    with pointing_at(input_path), open(input_path, encoding="utf-8") as lines:
        return aggregate(rows_of(lines, [*group_by, value_field]), group_by, value_field)


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--input", "--config", "--output"):
        parser.add_argument(name, required=True)
    options = parser.parse_args(arguments)
    try:
        cast = json.dumps(crucible(options.input, options.config), ensure_ascii=False, indent=2)
        with pointing_at(options.output), open(options.output, "w", encoding="utf-8") as file:
            file.write(cast + "\n")
    except Slag as slag:
        print(f"data_crucible: {slag}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
