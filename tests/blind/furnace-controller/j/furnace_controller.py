"""Furnace controller."""

import argparse
import json
import sys


def read(path):
    """Read the file."""
    try:
        with open(path, encoding="utf-8") as f:
            data = json.load(f)
    except FileNotFoundError:
        print(f"no such file: {path}", file=sys.stderr)
        sys.exit(1)
    except json.JSONDecodeError as e:
        print(f"bad json: {e}", file=sys.stderr)
        sys.exit(1)
    if not isinstance(data, dict) or "readings" not in data:
        print("no readings", file=sys.stderr)
        sys.exit(1)
    readings = data["readings"]
    if not isinstance(readings, list) or len(readings) == 0:
        print("no readings", file=sys.stderr)
        sys.exit(1)
    for r in readings:
        if not isinstance(r, (int, float)):
            print(f"bad reading: {r}", file=sys.stderr)
            sys.exit(1)
    return readings


def control(readings, target, tolerance):
    """Say what to do and exit."""
    average = sum(readings) / len(readings)
    difference = average - target
    if abs(difference) < tolerance or difference == 0:
        print("STABLE")
        sys.exit(0)
    if difference < 0:
        print("HEAT")
        sys.exit(10)
    print("COOL")
    sys.exit(11)


def main(argv=None):
    """Run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", required=True)
    parser.add_argument("--target-temp", type=float, required=True)
    parser.add_argument("--tolerance", type=float, default=1.0)
    args = parser.parse_args(argv)
    control(read(args.input), args.target_temp, args.tolerance)


if __name__ == "__main__":
    main()
