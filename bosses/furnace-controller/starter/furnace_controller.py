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

    # Your turn: a part that opens options.input and refuses, in words, whatever is no list of numbers; and a part that
    # takes numbers and answers HEAT, COOL or STABLE. Neither needs to know of the other, or of this function.

    # Until then the furnace is told to rest, whatever it says, with an exit status that it does not know.
    print(f"REST (nobody has opened {options.input} yet)")
    return 3


if __name__ == "__main__":
    sys.exit(main())
