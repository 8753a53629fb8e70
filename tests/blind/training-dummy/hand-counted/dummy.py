"""Training dummy, second try. Now with checks!"""
import argparse
import sys


def get_args():
    p = argparse.ArgumentParser(prog="dummy.py", description="hit the dummy")
    p.add_argument("NAME", help="your name")
    p.add_argument("--blows", metavar="N", default="1", help="how often (1-99)")
    return p.parse_args()


def check(args):
    """Exit if the arguments are no good."""
    if not args.NAME:
        print("NAME must not be empty", file=sys.stderr)
        sys.exit(2)
    try:
        n = int(args.blows)
    except ValueError:
        print("--blows must be a whole number, got", args.blows, file=sys.stderr)
        sys.exit(2)
    # zero or less: nothing to do
    if n < 1:
        print("--blows must be at least 1", file=sys.stderr)
        sys.exit(2)
    if n > 99:
        print("note: --blows is at most 99, using 99", file=sys.stderr)
        n = 99
    return n


def swing(name, number):
    text = "Thwack! %s lands blow %d." % (name, number)
    print(text)


def main():
    args = get_args()
    n = check(args)
    for k in range(n):
        swing(args.NAME, k + 1)


if __name__ == "__main__":
    main()
