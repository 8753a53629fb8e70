"""Training Dummy: prints one line for every blow."""

import argparse


def strike(name, blows):
    """Print the lines of all blows, in order."""
    for blow in range(1, blows + 1):
        print(f"Thwack! {name} lands blow {blow}.")


def main(argv=None):
    """Read the arguments, check them, strike."""
    parser = argparse.ArgumentParser(description="Strike the training dummy.", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", help="who strikes")
    parser.add_argument("--blows", type=int, default=1, metavar="N", help="how many blows, from 1 to 99")
    args = parser.parse_args(argv)
    if not args.name:
        parser.error("NAME must not be blank")
    if args.blows < 1 or args.blows > 99:
        parser.error("--blows must be from 1 to 99")
    strike(args.name, args.blows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
