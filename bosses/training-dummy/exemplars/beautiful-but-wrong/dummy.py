"""Training Dummy: one line for every blow, from a small, tidy set of parts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

FEWEST_BLOWS = 1
MOST_BLOWS = 99


@dataclass(frozen=True)
class Exercise:
    """Who strikes, and how often."""

    name: str
    blows: int

    def objection(self) -> str:
        """Why this exercise makes no sense; empty if it does."""
        if not self.name.strip():
            return "NAME must not be blank"
        if not FEWEST_BLOWS <= self.blows <= MOST_BLOWS:
            return f"--blows must be from {FEWEST_BLOWS} to {MOST_BLOWS}"
        return ""

    def lines(self) -> Iterator[str]:
        """The lines of all blows, in order."""
        for blow in range(self.blows):
            yield battle_line(self.name, blow)


def battle_line(name: str, blow: int) -> str:
    """The line for one blow."""
    return f"Thwack! {name} lands blow {blow}."


def build_parser() -> argparse.ArgumentParser:
    """The arguments of the contract."""
    parser = argparse.ArgumentParser(description="Strike the training dummy.")
    parser.add_argument("name", metavar="NAME", help="who strikes")
    parser.add_argument("--blows", type=int, default=1, metavar="N", help="how many blows, from 1 to 99")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, refuse what makes no sense, strike."""
    parser = build_parser()
    args = parser.parse_args(arguments)
    exercise = Exercise(args.name, args.blows)
    if problem := exercise.objection():
        parser.error(problem)
    for line in exercise.lines():
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
