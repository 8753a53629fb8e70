"""Group the rows of a CSV file and add up one column, as a JSON config says."""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


class InputError(Exception):
    """The CSV or the config can't be used; the message says why."""


@dataclass(frozen=True)
class Config:
    """What to group by and what to add up."""

    group_by: tuple[str, ...]
    value_field: str

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are needed."""
        return (*self.group_by, self.value_field)


class Pour(NamedTuple):
    """One checked row: its group and its value."""

    group: tuple[str, ...]
    value: Fraction


@dataclass
class Total:
    """What has come together in one group."""

    sum: Fraction = field(default_factory=Fraction)
    count: int = 0

    def add(self, value: Fraction) -> None:
        """Take one more value in."""
        self.sum += value
        self.count += 1


def read_text(path: Path) -> str:
    """The text of a file, with its line ends as they are."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 ({error})") from error


def parse_config(text: str) -> Config:
    """The checked config from JSON text."""
    try:
        raw = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"the config is not valid JSON: {error}") from error
    if not isinstance(raw, dict):
        raise InputError("the config is not a JSON object")
    for key in ("group_by", "value_field"):
        if key not in raw:
            raise InputError(f"the config has no {key}")
    group_by, value_field = raw["group_by"], raw["value_field"]
    if not isinstance(group_by, list) or not group_by or not all(isinstance(name, str) for name in group_by):
        raise InputError("group_by must be a list of one or more strings")
    if not isinstance(value_field, str):
        raise InputError("value_field must be a string")
    return Config(tuple(group_by), value_field)


def parse_number(text: str, line: int) -> Fraction:
    """The exact value of a number in decimal notation."""
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        raise InputError(f"line {line}: not a number: {text!r}")
    return Fraction(stripped)


def parse_rows(text: str, config: Config) -> list[Pour]:
    """The checked rows of CSV text."""
    reader = csv.reader(text.splitlines(keepends=True))
    try:
        header = next(reader, [])
        positions = _positions(header, config.columns)
        rows = list(_pours(reader, len(header), positions))
    except csv.Error as error:
        raise InputError(f"line {reader.line_num}: {error}") from error
    if not rows:
        raise InputError("the CSV has no rows")
    return rows


def _positions(header: list[str], columns: Iterable[str]) -> list[int]:
    if not header:
        raise InputError("the CSV is empty")
    missing = [column for column in columns if column not in header]
    if missing:
        raise InputError(f"the CSV has no column {', '.join(map(repr, missing))}")
    return [header.index(column) for column in columns]


def _pours(reader, width: int, positions: list[int]) -> Iterator[Pour]:
    *group_at, value_at = positions
    for fields in reader:
        if len(fields) < width:
            raise InputError(f"line {reader.line_num}: {len(fields)} fields instead of {width}")
        group = tuple(fields[position] for position in group_at)
        yield Pour(group, parse_number(fields[value_at], reader.line_num))


def aggregate(pours: Iterable[Pour]) -> dict[tuple[str, ...], Total]:
    """Totals by group, sorted by group."""
    totals: defaultdict[tuple[str, ...], Total] = defaultdict(Total)
    for pour in pours:
        totals[pour.group].add(pour.value)
    return dict(sorted(totals.items()))


def present(totals: dict[tuple[str, ...], Total], group_by: tuple[str, ...]) -> list[dict[str, object]]:
    """The totals as the objects of the output."""
    return [
        {
            **dict(zip(group_by, group)),
            "sum": float(total.sum),
            "count": total.count,
            "avg": float(total.sum / total.count),
        }
        for group, total in totals.items()
    ]


def write_json(path: Path, document: object) -> None:
    """Replace a file as a whole."""
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error


def run(input_path: Path, config_path: Path, output_path: Path) -> None:
    """Read and check, aggregate, write."""
    config = parse_config(read_text(config_path))
    totals = aggregate(parse_rows(read_text(input_path), config))
    write_json(output_path, present(totals, config.group_by))


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", type=Path, required=True, help="CSV file with a header")
    parser.add_argument("--config", type=Path, required=True, help="JSON file with group_by and value_field")
    parser.add_argument("--output", type=Path, required=True, help="JSON file to write")
    options = parser.parse_args(arguments)
    try:
        run(options.input, options.config, options.output)
    except InputError as error:
        print(f"data_crucible: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
