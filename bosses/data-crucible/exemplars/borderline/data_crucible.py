import argparse
import json
import sys


class Group:
    """One group of rows that is being added up."""

    def __init__(self, keys):
        self.keys = keys
        self.total = 0.0
        self.count = 0

    def add(self, value):
        self.total += value
        self.count += 1

    def average(self):
        return round(self.total / self.count, 2)


class DataCrucible:
    """Reads the config, pours the CSV into groups and writes the result."""

    def __init__(self, config_path):
        with open(config_path) as f:
            self.config = json.load(f)
        self.groups = {}

    def group_for(self, fields):
        keys = tuple(fields[name] for name in self.config["group_by"])
        if keys not in self.groups:
            self.groups[keys] = Group(keys)
        return self.groups[keys]

    def pour(self, input_path, output_path):
        with open(input_path) as f:
            header = f.readline().strip().split(",")
            for line in f:
                if line.strip():
                    fields = dict(zip(header, line.rstrip("\n").split(",")))
                    self.group_for(fields).add(float(fields[self.config["value_field"]]))
        if not self.groups:
            raise ValueError("no data in " + input_path)
        result = []
        for keys in sorted(self.groups):
            group = self.groups[keys]
            entry = dict(zip(self.config["group_by"], group.keys))
            entry["sum"] = group.total
            entry["count"] = group.count
            entry["avg"] = group.average()
            result.append(entry)
        with open(output_path, "w") as f:
            json.dump(result, f, indent=4)
        return result


def main():
    parser = argparse.ArgumentParser(description="Data Crucible")
    parser.add_argument("--input", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--output", required=True)
    args = parser.parse_args()
    try:
        crucible = DataCrucible(args.config)
        crucible.pour(args.input, args.output)
    except Exception as e:
        print("Something went wrong:", e, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
