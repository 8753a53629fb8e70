# data crucible
# usage: data_crucible.py --input x.csv --config c.json --output y.json
import csv
import json
import sys

from helpers import average, option

CONFIG = {}


def load_config(path):
    global CONFIG
    CONFIG = json.load(open(path))


def get_key(row):
    return tuple(row[c] for c in CONFIG["group_by"])


def process(path):
    sums = {}
    counts = {}
    for row in csv.DictReader(open(path, newline="")):
        key = get_key(row)
        try:
            value = float(row[CONFIG["value_field"]])
        except ValueError:
            continue  # bad rows are skipped
        if key not in sums:
            sums[key] = 0
            counts[key] = 0
        sums[key] += value
        counts[key] += 1
    out = []
    for key in sums:
        d = {}
        for i in range(len(key)):
            d[CONFIG["group_by"][i]] = key[i]
        d["sum"] = sums[key]
        d["count"] = counts[key]
        d["avg"] = average(sums[key], counts[key])
        out.append(d)
    print(len(out), "groups")
    return out


def main():
    load_config(option(sys.argv, "--config"))
    result = process(option(sys.argv, "--input"))
    json.dump(result, open(option(sys.argv, "--output"), "w"))


if __name__ == "__main__":
    main()
