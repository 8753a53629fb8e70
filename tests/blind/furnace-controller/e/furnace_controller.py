"""Furnace controller."""

import argparse
import json
import sys


def read_file(path):
    """Read the readings."""
    with open(path) as file:
        data = json.load(file)
    # TODO: check
    return data["readings"]


def main(argv=None):
    """Run once and return the exit status."""
    parser = argparse.ArgumentParser(description="Tell a furnace to heat, to cool or to hold.")
    parser.add_argument("--input", required=True, metavar="FILE", help="JSON file of readings")
    parser.add_argument("--target-temp", type=float, required=True, metavar="T", help="temperature to hold")
    parser.add_argument("--tolerance", type=float, default=1.0, metavar="D", help="allowed distance from the target")
    options = parser.parse_args(argv)

    readings = read_file(options.input)
    if not readings:
        print("no readings")
        return 1
    average = sum(readings) / len(readings)
    if average < options.target_temp - options.tolerance:
        print("HEAT")
        return 10
    elif average > options.target_temp + options.tolerance:
        print("COOL")
        # TODO: exit status
    print("STABLE")
    return 0


if __name__ == "__main__":
    sys.exit(main())
