"""Training Dummy: prints one line for every blow."""

import argparse
import sys

FEWEST_BLOWS = 1
MOST_BLOWS = 99


def battle_line(name: str, blow: int) -> str:
    """The line for one blow, counted from 1."""
    return f"Thwack! {name} lands blow {blow}."


def strike(name: str, blows: int) -> list[str]:
    """The lines of all blows, in order."""
    return [battle_line(name, blow) for blow in range(1, blows + 1)]


def objection(name: str, blows: int) -> str:
    """What is wrong with these values, in words; empty if nothing is."""
    if not name.strip():
        return "NAME must not be blank: somebody has to strike"
    if not FEWEST_BLOWS <= blows <= MOST_BLOWS:
        return f"--blows must be from {FEWEST_BLOWS} to {MOST_BLOWS}, not {blows}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments, refuse what makes no sense, strike."""
    parser = argparse.ArgumentParser(description="Strike the training dummy.", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", help="who strikes")
    parser.add_argument("--blows", type=int, default=1, metavar="N", help="how many blows, from 1 to 99")
    args = parser.parse_args(arguments)
    problem = objection(args.name, args.blows)
    if problem:
        parser.error(problem)
    for line in strike(args.name, args.blows):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
