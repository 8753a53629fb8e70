# furnace controller
import argparse
import json
import sys


def average(numbers):
    return round(sum(numbers) / len(numbers))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input")
    parser.add_argument("--target-temp", type=float)
    parser.add_argument("--tolerance", type=float, default=1.0)
    args = parser.parse_args()

    data = json.load(open(args.input))
    avg = average(data["readings"])
    low = args.target_temp - args.tolerance
    high = args.target_temp + args.tolerance
    if avg < low:
        print("HEAT")
        sys.exit(10)
    if avg > high:
        print("COOL")
        sys.exit(11)
    print("STABLE")


if __name__ == "__main__":
    main()
