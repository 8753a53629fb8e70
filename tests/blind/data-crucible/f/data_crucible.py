"""Group the rows of a CSV file and add up one column, as a JSON config says."""

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

from melting import Group, Total, melt
from table import InputError, samples


class Config(NamedTuple):
    group_by: tuple[str, ...]
    value_field: str


def parse_config(text: str) -> Config:
    try:
        raw = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"the config is not valid JSON: {error}") from error
    if not isinstance(raw, dict):
        raise InputError("the config is not a JSON object")
    for key in Config._fields:
        if key not in raw:
            raise InputError(f"the config lacks the key {key}")
    names, value_field = raw["group_by"], raw["value_field"]
    if not (isinstance(names, list) and names and all(isinstance(name, str) for name in names)):
        raise InputError(f"group_by is not a list of one or more strings: {names!r}")
    if not isinstance(value_field, str):
        raise InputError(f"value_field is not a string: {value_field!r}")
    return Config(tuple(names), value_field)


def to_json(totals: dict[Group, Total], config: Config) -> str:
    return json.dumps(
        [
            {
                **dict(zip(config.group_by, group)),
                "sum": float(total.sum),
                "count": total.count,
                "avg": float(total.avg),
            }
            for group, total in totals.items()
        ],
        indent=2,
    )


def run(input_path: Path, config_path: Path, output_path: Path) -> None:
    """Read the CSV and the config, melt, write the output."""
    config = parse_config(config_path.read_text(encoding="utf-8"))
    with input_path.open(encoding="utf-8", newline="") as lines:
        totals = melt(samples(lines, config.group_by, config.value_field))
    if not totals:
        raise InputError(f"there is nothing to melt in {input_path}")
    output_path.write_text(to_json(totals, config), encoding="utf-8")


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
    except OSError as error:
        print(f"data_crucible: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
