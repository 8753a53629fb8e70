"""Training Dummy: prints one line for every blow. Two lines are wrong; README.md says which."""

import argparse


def battle_line(name: str, blow: int) -> str:
    """The line for one blow, counted from 1."""
    # EDIT 1: the dummy waits for "Thwack! NAME lands blow N."
    return f"Swish. {name} misses by a yard, {blow} time(s)."


def strike(name: str, blows: int) -> list[str]:
    """The lines of all blows, in order."""
    # EDIT 2: this counts to 1, whatever was asked for.
    return [battle_line(name, blow) for blow in range(1, 2)]


def main() -> int:
    """Read the arguments, strike, and report success."""
    parser = argparse.ArgumentParser(description="Strike the training dummy.")
    parser.add_argument("name", metavar="NAME", help="who strikes")
    parser.add_argument("--blows", type=int, default=1, metavar="N", help="how many blows, from 1 to 99")
    args = parser.parse_args()
    # EDIT 3, for later: refuse invalid values here, with parser.error("...").
    for line in strike(args.name, args.blows):
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
