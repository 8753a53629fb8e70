"""Training Dummy: prints one line for every blow."""

import argparse
from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    """Who strikes, and how often."""

    name: str
    blows: int = 1

    def check(self) -> None:
        """ValueError, naming the argument, if the attack makes no sense."""
        if not self.name.strip():
            raise ValueError("NAME must not be blank")
        if not 1 <= self.blows <= 99:
            raise ValueError("--blows must be from 1 to 99")

    def line(self, blow: int) -> str:
        """The line for one blow, counted from 1."""
        return f"Thwack! {self.name} lands blow {blow}."

    def lines(self) -> list[str]:
        """The lines of all blows, in order."""
        return [self.line(blow) for blow in range(1, self.blows + 1)]


def main() -> int:
    """Read the arguments, strike, and report success."""
    parser = argparse.ArgumentParser(description="Strike the training dummy.", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", help="who strikes")
    parser.add_argument("--blows", type=int, nargs="?", const=1, default=1, metavar="N", help="how many blows, 1 to 99")
    args = parser.parse_args()
    attack = Attack(args.name, args.blows)
    try:
        attack.check()
    except ValueError as error:
        parser.error(str(error))
    for line in attack.lines():
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
