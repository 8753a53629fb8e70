"""Group the rows of a CSV file and add up one column, the way a JSON config says.

    python data_crucible.py --input sales.csv --config config.json --output totals.json

The work runs in one direction: read text, check it into typed values, aggregate, write. Every fault in the input is a
CrucibleError raised where it is met; only main() turns it into an exit status.
"""

import argparse
import csv
import json
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

Group = tuple[str, ...]


class CrucibleError(Exception):
    """Input that can't be poured. The message is for the person who made it."""


@dataclass(frozen=True)
class Config:
    """Which columns to group by and which one to add up. Always valid once it exists."""

    group_by: Group
    value_field: str


def parse_config(text: str) -> Config:
    """Check the text of a config file and return what it asks for.

    Raises:
        CrucibleError: It isn't a JSON object, a key is missing, or a key holds the wrong kind of value.
    """
    try:
        raw = json.loads(text)
    except ValueError as error:
        raise CrucibleError(f"the config is not valid JSON: {error}") from error
    if not isinstance(raw, dict):
        raise CrucibleError("the config must be a JSON object")
    for key in ("group_by", "value_field"):
        if key not in raw:
            raise CrucibleError(f"the config has no {key!r}")
    group_by, value_field = raw["group_by"], raw["value_field"]
    if not isinstance(group_by, list) or not group_by:
        raise CrucibleError("'group_by' must be a list of one or more column names")
    if not all(isinstance(name, str) for name in (*group_by, value_field)):
        raise CrucibleError("column names in 'group_by' and 'value_field' must be strings")
    return Config(tuple(group_by), value_field)


def parse_number(text: str) -> float:
    """Read a finite decimal number.

    Raises:
        CrucibleError: The text is something else; ``nan`` and ``inf`` are something else too.
    """
    try:
        number = float(text)
    except ValueError as error:
        raise CrucibleError(f"{text!r} is not a number") from error
    if not math.isfinite(number):
        raise CrucibleError(f"{text!r} is not a finite number")
    return number


def select_values(table: Sequence[Sequence[str]], config: Config) -> list[tuple[Group, float]]:
    """Reduce a table to what matters: each row's group and its value, in the order of the rows.

    Args:
        table: The header, then the rows.
        config: The columns to look at; all others are ignored.

    Raises:
        CrucibleError: There is no row, a column is missing, a row is short, or a value is not a number.
    """
    if len(table) <= 1:
        raise CrucibleError("the CSV has no rows")
    header, *rows = table
    missing = [name for name in (*config.group_by, config.value_field) if name not in header]
    if missing:
        raise CrucibleError(f"the CSV has no column {', '.join(missing)}")
    group_columns = [header.index(name) for name in config.group_by]
    value_column = header.index(config.value_field)
    selected: list[tuple[Group, float]] = []
    for number, row in enumerate(rows, start=1):
        if len(row) < len(header):
            raise CrucibleError(f"row {number} has {len(row)} fields, the header has {len(header)}")
        try:
            value = parse_number(row[value_column])
        except CrucibleError as error:
            raise CrucibleError(f"row {number}, column {config.value_field}: {error}") from error
        selected.append((tuple(row[column] for column in group_columns), value))
    return selected


def aggregate(selected: Iterable[tuple[Group, float]], config: Config) -> list[dict[str, object]]:
    """Sum, count and average of each group, sorted by group."""
    values: dict[Group, list[float]] = {}
    for group, value in selected:
        values.setdefault(group, []).append(value)
    results: list[dict[str, object]] = []
    for group in sorted(values):
        total, count = math.fsum(values[group]), len(values[group])
        names = dict(zip(config.group_by, group, strict=True))
        results.append({**names, "sum": total, "count": count, "avg": total / count})
    return results


def read_text(path: Path) -> str:
    """Read a text file.

    Raises:
        CrucibleError: It can't be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CrucibleError(f"can't read {path}: {error}") from error


def read_table(path: Path) -> list[list[str]]:
    """Read all lines of a CSV file, the header first.

    Raises:
        CrucibleError: It can't be read.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CrucibleError(f"can't read {path}: {error}") from error


def write_results(path: Path, results: list[dict[str, object]]) -> None:
    """Write the results as JSON. Called last, so that a failed run never touches an earlier output.

    Raises:
        CrucibleError: The file can't be written.
    """
    try:
        path.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise CrucibleError(f"can't write {path}: {error}") from error


def run(input_path: Path, config_path: Path, output_path: Path) -> None:
    """Read, check, aggregate, write.

    Raises:
        CrucibleError: Something about the input is wrong; nothing was written.
    """
    config = parse_config(read_text(config_path))
    selected = select_values(read_table(input_path), config)
    write_results(output_path, aggregate(selected, config))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description="Group the rows of a CSV file and add up one column.")
    parser.add_argument("--input", type=Path, required=True, help="CSV file with a header")
    parser.add_argument("--config", type=Path, required=True, help="JSON file with group_by and value_field")
    parser.add_argument("--output", type=Path, required=True, help="JSON file to write")
    options = parser.parse_args(arguments)
    try:
        run(options.input, options.config, options.output)
    except CrucibleError as error:
        print(f"data_crucible: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
