"""Furnace controller."""

import argparse
import json
import sys


def decide(readings, target, tolerance):
    average = sum(readings) / len(readings)
<<<<<<< HEAD
    if average < target - tolerance:
        return "HEAT", 10
    if average > target + tolerance:
        return "COOL", 11
=======
    difference = average - target
    if abs(difference) > tolerance:
        return ("HEAT", 10) if difference < 0 else ("COOL", 11)
>>>>>>> simpler-decision
    return "STABLE", 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", required=True)
    parser.add_argument("--target-temp", type=float, required=True)
    parser.add_argument("--tolerance", type=float, default=1.0)
    args = parser.parse_args()
    try:
        with open(args.input) as file:
            readings = json.load(file)["readings"]
    except (OSError, ValueError, KeyError) as error:
        print(f"bad input: {error}", file=sys.stderr)
        return 1
    word, status = decide(readings, args.target_temp, args.tolerance)
    print(word)
    return status


if __name__ == "__main__":
    sys.exit(main())
