"""Pivot a csv file. Usage: data_crucible.py --input CSV --config JSON --output JSON"""
import csv
import json
import sys
from getopt import getopt


class Pivot:
    """Does the whole job."""

    def __init__(self, group_by, value_field):
        self.group_by = group_by
        self.value_field = value_field
        self.totals = {}
        self.counts = {}

    def add(self, row):
        key = tuple(row[g].strip() for g in self.group_by)
        value = float(row[self.value_field])
        self.totals[key] = self.totals.get(key, 0.0) + value
        self.counts[key] = self.counts.get(key, 0) + 1

    def result(self):
        out = []
        for key in sorted(self.totals):
            entry = dict(zip(self.group_by, key))
            entry["sum"] = self.totals[key]
            entry["count"] = self.counts[key]
            entry["avg"] = self.totals[key] / self.counts[key]
            out.append(entry)
        return out


def read_config(path):
    with open(path, encoding="utf-8") as f:
        config = json.load(f)
    return config["group_by"], config["value_field"]


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    if not rows:
        raise ValueError("no rows in " + path)
    return rows


def write(result, path):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(result, f, indent=2)


def main(argv):
    options = dict(getopt(argv, "", ["input=", "config=", "output="])[0])
    try:
        group_by, value_field = read_config(options["--config"])
        pivot = Pivot(group_by, value_field)
        for row in read_rows(options["--input"]):
            pivot.add(row)
    except FileNotFoundError as e:
        print("file not found:", e.filename, file=sys.stderr)
        return 1
    except KeyError as e:
        print("missing key or column", e, file=sys.stderr)
        return 1
    except ValueError as e:
        print("bad value:", e, file=sys.stderr)
        return 1
    write(pivot.result(), options["--output"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
