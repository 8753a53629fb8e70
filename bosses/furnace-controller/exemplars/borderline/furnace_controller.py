import argparse
import json
import sys


def get_average(readings):
    total = 0
    for r in readings:
        total = total + float(r)
    return total / len(readings)


def run(path, target, tolerance):
    if not tolerance:
        tolerance = 1.0
    try:
        with open(path) as f:
            data = json.load(f)
        readings = data["readings"]
        if len(readings) == 0:
            print("No readings in file")
            sys.exit(1)
        avg = get_average(readings)
    except Exception:
        print("Error: could not read the input file")
        sys.exit(1)

    print("Average temperature:", avg)
    if avg <= target - tolerance:
        print("Decision: HEAT")
        sys.exit(10)
    elif avg >= target + tolerance:
        print("Decision: COOL")
        sys.exit(11)
    else:
        print("Decision: STABLE")
        sys.exit(0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", required=True)
    parser.add_argument("--target-temp", type=float, required=True)
    parser.add_argument("--tolerance", type=float)
    args = parser.parse_args()
    run(args.input, args.target_temp, args.tolerance)
