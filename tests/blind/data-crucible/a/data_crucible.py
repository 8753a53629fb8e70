"""Group the rows of a CSV file and add up one column."""

import argparse
import csv
import json
import sys


def fail(message):
    print("error: " + message, file=sys.stderr)
    sys.exit(1)


def read_config(path):
    try:
        with open(path, encoding="utf-8") as f:
            config = json.load(f)
    except OSError:
        fail("can't read " + path)
    except ValueError:
        fail(path + " is not valid JSON")
    if not isinstance(config, dict):
        fail("config is not an object")
    for key in ["group_by", "value_field"]:
        if key not in config:
            fail("config has no " + key)
    if len(config["group_by"]) == 0:
        fail("group_by is empty")
    return config


def to_number(text):
    try:
        number = float(text)
    except ValueError:
        fail("not a number: " + text)
    if number != number or number in (float("inf"), float("-inf")):
        fail("not a number: " + text)
    return number


def collect(path, config):
    """Read the CSV and add up. Gives a dict: group -> [sum, count]."""
    totals = {}
    try:
        with open(path, encoding="utf-8", newline="") as f:
            reader = csv.reader(f)
            header = next(reader, None)
            if header is None:
                fail(path + " is empty")
            for column in list(config["group_by"]) + [config["value_field"]]:
                if column not in header:
                    fail("no such column: " + column)
            for row in reader:
                group = []
                for column in config["group_by"]:
                    if header.index(column) >= len(row):
                        fail("row is too short: " + str(row))
                    group.append(row[header.index(column)])
                if header.index(config["value_field"]) >= len(row):
                    fail("row is too short: " + str(row))
                number = to_number(row[header.index(config["value_field"])])
                key = tuple(group)
                if key not in totals:
                    totals[key] = [0, 0]
                totals[key][0] += number
                totals[key][1] += 1
    except OSError:
        fail("can't read " + path)
    if not totals:
        fail(path + " has no rows")
    return totals


def to_result(totals, config):
    result = []
    for group in sorted(totals, key=lambda group: [name.lower() for name in group]):
        entry = {}
        for i, column in enumerate(config["group_by"]):
            entry[column] = group[i]
        entry["sum"] = totals[group][0]
        entry["count"] = totals[group][1]
        entry["avg"] = totals[group][0] / totals[group][1]
        result.append(entry)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    config = read_config(options.config)
    result = to_result(collect(options.input, config), config)
    with open(options.output, "w", encoding="utf-8") as f:
        json.dump(result, f, indent=2)


if __name__ == "__main__":
    main()
