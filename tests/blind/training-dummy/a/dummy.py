"""Training Dummy: prints one line for every blow."""

import argparse


def battle_line(name, blow):
    """The line for one blow, counted from 1."""
    return f"Thwack! {name.strip()} lands blow {blow}."


def strike(name, blows):
    """The lines of all blows, in order."""
    return [battle_line(name, blow) for blow in range(1, blows + 1)]


def main():
    """Read the arguments, strike, and report success."""
    parser = argparse.ArgumentParser(description="Strike the training dummy.")
    parser.add_argument("name", metavar="NAME", help="who strikes")
    parser.add_argument("--blows", type=int, default=1, metavar="N", help="how many blows")
    args = parser.parse_args()
    print(*strike(args.name, args.blows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
