"""Group the rows of a CSV file and add up one column, as a JSON config says.

Try it:  python data_crucible.py --input sample.csv --config config.json --output totals.json
"""

import argparse
import csv
import json
import sys
from pathlib import Path


class InputError(Exception):
    """The CSV or the config can't be used. The message says why, for the person who made it."""


def aggregate(rows: list[dict[str, str]], group_by: list[str], value_field: str) -> list[dict[str, object]]:
    """Add up one column for each group of rows."""
    first = group_by[0]
    second = group_by[1]  # TODO: one column, three columns
    groups = {}
    for row in rows:
        key = (row[first], row[second])
        if key not in groups:
            groups[key] = {first: row[first], second: row[second], "sum": 0, "count": 0}
        groups[key]["sum"] += float(row[value_field])
        groups[key]["count"] += 1
    # TODO: avg
    return list(groups.values())


def run(input_path: Path, config_path: Path, output_path: Path) -> None:
    """Read the CSV and the config, aggregate, write the output."""
    if not input_path.exists():
        raise InputError(f"{input_path} does not exist")
    config = json.loads(config_path.read_text())
    with output_path.open("w") as output:
        with input_path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        json.dump(aggregate(rows, config["group_by"], config["value_field"]), output)


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description="Group the rows of a CSV file and add up one column.")
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
