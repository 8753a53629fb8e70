"""Group the rows of a CSV file and add up one column, as a JSON config says."""

import argparse
import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


class InputError(Exception):
    """The CSV or the config can't be used. The message says why, for the person who made it."""


@dataclass(frozen=True)
class Config:
    group_by: tuple[str, ...]
    value_field: str


def check_config(raw: object) -> Config:
    if not isinstance(raw, dict):
        raise InputError("the config is not a JSON object")
    for key in ("group_by", "value_field"):
        if key not in raw:
            raise InputError(f"the config lacks {key}")
    group_by, value_field = raw["group_by"], raw["value_field"]
    if not isinstance(group_by, list) or not group_by or not all(isinstance(name, str) for name in group_by):
        raise InputError("group_by is not a list of one or more column names")
    if not isinstance(value_field, str):
        raise InputError("value_field is not a column name")
    return Config(tuple(group_by), value_field)


def load_config(path: Path) -> Config:
    try:
        return check_config(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise InputError(f"{path} is not valid JSON: {error}") from error


def load_rows(path: Path, config: Config) -> Iterator[dict[str, str]]:
    """The rows by column name, checked for their length; the columns of the config are there."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        for name in (*config.group_by, config.value_field):
            if name not in header:
                raise InputError(f"{path} has no column {name!r}")
        for row in reader:
            if len(row) < len(header):
                raise InputError(f"{path}, line {reader.line_num}: {len(row)} fields instead of {len(header)}")
            yield dict(zip(header, row))


def to_number(text: str) -> Fraction:
    if not NUMBER.fullmatch(text.strip()):
        raise InputError(f"not a number: {text!r}")
    return Fraction(text.strip())


def aggregate(rows: Iterable[dict[str, str]], group_by: Iterable[str], value_field: str) -> list[dict[str, object]]:
    """Add up one column for each group of rows. Fractions keep every digit until the end."""
    totals: dict[tuple[str, ...], tuple[Fraction, int]] = {}
    for row in rows:
        key = tuple(row[name] for name in group_by)
        total, count = totals.get(key, (Fraction(), 0))
        totals[key] = total + to_number(row[value_field]), count + 1
    return [
        {**dict(zip(group_by, key)), "sum": float(total), "count": count, "avg": float(total / count)}
        for key, (total, count) in sorted(totals.items())
    ]


def run(input_path: Path, config_path: Path, output_path: Path) -> None:
    """Read the CSV and the config, aggregate, write the output."""
    config = load_config(config_path)
    result = aggregate(load_rows(input_path, config), config.group_by, config.value_field)
    if not result:
        raise InputError(f"{input_path} has no rows")
    output_path.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", type=Path, required=True, help="CSV file with a header")
    parser.add_argument("--config", type=Path, required=True, help="JSON file with group_by and value_field")
    parser.add_argument("--output", type=Path, required=True, help="JSON file to write")
    options = parser.parse_args(arguments)
    try:
        run(options.input, options.config, options.output)
    except (InputError, OSError, csv.Error) as error:
        print(f"data_crucible: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
