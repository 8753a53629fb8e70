"""Training Dummy: prints one line for every blow."""

import argparse


def battle_line(name: str, blow: int) -> str:
    """The line for one blow, counted from 1."""
    return f"Thwack! {name} lands blow {blow}."


def strike(name: str, blows: int) -> list[str]:
    """The lines of all blows, in order."""
    return [battle_line(name, blow) for blow in range(1, blows + 1)]


def objection(name: str, blows: int) -> str | None:
    """What is wrong with values that could be read, if anything is."""
    if not name.strip():
        return "NAME must not be blank"
    if not 1 <= blows <= 99:
        return f"--blows must be from 1 to 99, not {blows}"
    return None


def main() -> int:
    """Read the arguments, refuse what makes no sense, strike, and report success."""
    parser = argparse.ArgumentParser(description="Strike the training dummy.", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", help="who strikes")
    parser.add_argument("--blows", type=int, default=1, metavar="N", help="how many blows, from 1 to 99")
    args = parser.parse_args()
    if wrong := objection(args.name, args.blows):
        parser.error(wrong)
    print("\n".join(strike(args.name, args.blows)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
