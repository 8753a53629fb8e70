"""Furnace controller: read temperatures, decide, report."""

import argparse
import sys

from readings_file import InputError, read_readings
from thermostat import choose_action

EXIT_CODES = {"STABLE": 0, "HEAT": 10, "COOL": 11}


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description="Decide whether the furnace must heat or cool.")
    parser.add_argument("--input", required=True, help="JSON file with a list of readings")
    parser.add_argument("--target-temp", type=float, required=True)
    parser.add_argument("--tolerance", type=float, default=1.0)
    return parser.parse_args(argv)


def main(argv=None):
    args = parse_args(argv)
    try:
        readings = read_readings(args.input)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    action = choose_action(readings, args.target_temp, args.tolerance)
    print(action)
    return EXIT_CODES[action]


if __name__ == "__main__":
    sys.exit(main())
