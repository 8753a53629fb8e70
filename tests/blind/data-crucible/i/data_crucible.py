"""Group the rows of a CSV file and add up one column, as a JSON config says."""

import argparse
import csv
import json
import re
import sys
from fractions import Fraction


class InputError(Exception):
    """The CSV or the config can't be used. The message says why."""


class Config:
    """The columns that are grouped and the one that is added up."""

    def __init__(self, raw):
        if not isinstance(raw, dict):
            raise InputError("The config is not a JSON object.")
        for key in ("group_by", "value_field"):
            if key not in raw:
                raise InputError(f"The config has no {key}.")
        self.group_by = raw["group_by"]
        self.value_field = raw["value_field"]
        if not isinstance(self.group_by, list) or not self.group_by:
            raise InputError("group_by is not a list of columns.")
        for name in self.group_by:
            if not isinstance(name, str):
                raise InputError(f"group_by holds {name!r}, which is no name.")
        if not isinstance(self.value_field, str):
            raise InputError("value_field is not the name of a column.")

    def check_header(self, header):
        for name in [*self.group_by, self.value_field]:
            if name not in header:
                raise InputError(f"The CSV has no column {name!r}.")


class Crucible:
    """Holds sum and count of each group."""

    NUMBER = re.compile(r"[-+]?\d+(\.\d+)?", re.ASCII)

    def __init__(self, config):
        self.config = config
        self.totals = {}

    def tip(self, row):
        """Add a row, a dict of strings."""
        key = tuple(row[name] for name in self.config.group_by)
        value = self.number(row[self.config.value_field])
        total = self.totals.setdefault(key, [Fraction(0), 0])
        total[0] += value
        total[1] += 1

    def number(self, text):
        stripped = text.strip()
        if not self.NUMBER.fullmatch(stripped):
            raise InputError(f"This is not a number: {text!r}.")
        return Fraction(stripped)

    def cast(self):
        """Return the groups as a sorted list of dicts."""
        result = []
        for key, (total, count) in sorted(self.totals.items()):
            entry = dict(zip(self.config.group_by, key))
            entry.update(sum=float(total), count=count, avg=float(total / count))
            result.append(entry)
        return result


def read_config(path):
    try:
        with open(path, encoding="utf-8") as file:
            return Config(json.load(file))
    except OSError as error:
        raise InputError(f"The config can't be read: {error}") from error
    except ValueError as error:
        raise InputError(f"{path} is not valid JSON: {error}") from error


def read_rows(path, config):
    """Yield the rows of the CSV as dicts."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, skipinitialspace=True)
            config.check_header(reader.fieldnames or [])
            for row in reader:
                if None in row.values():
                    raise InputError(f"Line {reader.line_num} of {path} has too few fields.")
                yield row
    except OSError as error:
        raise InputError(f"The CSV can't be read: {error}") from error


def melt(rows, config):
    crucible = Crucible(config)
    for row in rows:
        crucible.tip(row)
    return crucible.cast()


def write(path, result):
    text = json.dumps(result, ensure_ascii=False, indent=4)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", required=True, help="CSV file with a header")
    parser.add_argument("--config", required=True, help="JSON file with group_by and value_field")
    parser.add_argument("--output", required=True, help="JSON file to write")
    options = parser.parse_args(arguments)
    try:
        config = read_config(options.config)
        result = melt(read_rows(options.input, config), config)
        if not result:
            raise InputError(f"{options.input} has no rows.")
        write(options.output, result)
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
