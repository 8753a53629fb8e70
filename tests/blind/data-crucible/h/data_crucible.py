import argparse
import csv
import json
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--input", required=True)
parser.add_argument("--config", required=True)
parser.add_argument("--output", required=True)
args = parser.parse_args()

# read the config
try:
    f = open(args.config)
    config = json.load(f)
    f.close()
except FileNotFoundError:
    print("Error: config file " + args.config + " not found", file=sys.stderr)
    sys.exit(1)

group_by = config["group_by"]
value_field = config["value_field"]

# read the csv and add everything up
sums = {}
counts = {}
try:
    f = open(args.input, encoding="utf-8")
except FileNotFoundError:
    print("Error: input file " + args.input + " not found", file=sys.stderr)
    sys.exit(1)

reader = csv.DictReader(f)
for row in reader:
    # make a key out of all group columns
    key = ""
    for column in group_by:
        key = key + row[column] + "|"
    try:
        value = float(row[value_field])
    except ValueError:
        print("Error: " + row[value_field] + " is not a number", file=sys.stderr)
        sys.exit(1)
    if key in sums:
        sums[key] = sums[key] + value
        counts[key] = counts[key] + 1
    else:
        sums[key] = value
        counts[key] = 1
f.close()

if len(sums) == 0:
    print("Error: there are no rows", file=sys.stderr)
    sys.exit(1)

# make the result
result = []
for key in sorted(sums.keys()):
    values = key.split("|")
    group = {}
    for i in range(len(group_by)):
        group[group_by[i]] = values[i]
    group["sum"] = sums[key]
    group["count"] = counts[key]
    group["avg"] = sums[key] / counts[key]
    result.append(group)

with open(args.output, "w") as f:
    json.dump(result, f, indent=4)
print("Done! " + str(len(result)) + " groups written to " + args.output)
