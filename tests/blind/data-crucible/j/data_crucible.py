"""Group the rows of a CSV file and add up one column, as a JSON config says."""

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from math import fsum, isfinite
from operator import itemgetter
from pathlib import Path

Row = dict[str, str]


class InputError(Exception):
    """The CSV or the config can't be used."""


def parse_config(text: str) -> tuple[list[str], str]:
    try:
        config = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"the config is not valid JSON: {error}") from error
    match config:
        case {"group_by": [*group_by], "value_field": str(value_field)} if all(isinstance(c, str) for c in group_by):
            return group_by, value_field
        case {"group_by": [*_], "value_field": other}:
            raise InputError(f"group_by holds something other than names, or value_field is no name: {other!r}")
        case {"group_by": other, "value_field": _}:
            raise InputError(f"group_by is no list: {other!r}")
        case {"group_by": _}:
            raise InputError("value_field is missing")
        case {}:
            raise InputError("group_by is missing")
        case _:
            raise InputError("the config is no object")


def requiring(*columns: str) -> Callable[[list[str]], None]:
    """A check for headers."""

    def check(header: list[str]) -> None:
        if missing := [column for column in columns if column not in header]:
            raise InputError(f"missing in the header: {', '.join(missing)}")

    return check


def rows(path: Path, check_header: Callable[[list[str]], None]) -> Iterator[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        check_header(reader.fieldnames or [])
        yield from reader


def number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise InputError(f"{text!r} is no number")
    return value


def aggregate(rows: Iterable[Row], group_by: list[str], value_field: str) -> list[dict[str, object]]:
    """Add up one column for each group of rows."""

    def key(row: Row) -> tuple[str, ...]:
        return tuple(map(row.__getitem__, group_by))

    def total(group: tuple[str, ...], values: list[float]) -> dict[str, object]:
        return dict(zip(group_by, group)) | {"sum": fsum(values), "count": len(values), "avg": fsum(values) / len(values)}

    pairs = sorted(((key(row), number(row[value_field])) for row in rows), key=itemgetter(0))
    return [total(group, [value for _, value in members]) for group, members in groupby(pairs, key=itemgetter(0))]


def non_empty(result: list) -> list:
    if not result:
        raise InputError("there are no rows")
    return result


def run(input_path: Path, config_path: Path, output_path: Path) -> None:
    group_by, value_field = parse_config(config_path.read_text(encoding="utf-8"))
    result = non_empty(aggregate(rows(input_path, requiring(*group_by, value_field)), group_by, value_field))
    output_path.write_text(json.dumps(result), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Group the rows of a CSV file and add up one column.")
    for option in ("--input", "--config", "--output"):
        parser.add_argument(option, type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        run(options.input, options.config, options.output)
    except (InputError, OSError) as error:
        print(f"data_crucible: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
