import argparse
import csv
import json
from collections import defaultdict


def key_of(row):
    return row["region"], row["product"]


def average(total, count):
    return total / count


def add_rows(path):
    totals = defaultdict(int)
    counts = defaultdict(int)
    with open(path) as f:
        for row in csv.DictReader(f):
            totals[key_of(row)] += int(row["amount"])
            counts[key_of(row)] += 1
            print("added", row["amount"], "to", key_of(row))
    return totals


def save(totals, path):
    with open(path, "w") as f:
        json.dump(totals, f)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input")
    parser.add_argument("--config")
    parser.add_argument("--output")
    args = parser.parse_args()
    config = json.load(open(args.config))
    print("grouping by", config["group_by"])
    save(add_rows(args.input), args.output)


if __name__ == "__main__":
    main()
