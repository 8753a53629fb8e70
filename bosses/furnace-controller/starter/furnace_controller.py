"""Furnace controller: a skeleton that starts, reads its options, and is wrong about everything else."""

import argparse
import sys


def main(argv=None):
    """Run once and return the exit status."""
    parser = argparse.ArgumentParser(description="Tell a furnace to heat, to cool or to hold.")
    parser.add_argument("--input", required=True, metavar="FILE", help="JSON file of readings")
    parser.add_argument("--target-temp", type=float, required=True, metavar="T", help="temperature to hold")
    parser.add_argument("--tolerance", type=float, default=1.0, metavar="D", help="allowed distance from the target")
    options = parser.parse_args(argv)

    # Your turn: write one function that opens options.input and refuses, with a message, anything but a list of
    # numbers, and one that takes numbers and returns HEAT, COOL or STABLE. Neither needs the other, or this function.

    # Until then the answer is always REST, with an exit status that the furnace does not know.
    print(f"REST (nobody has opened {options.input} yet)")
    return 3


if __name__ == "__main__":
    sys.exit(main())
