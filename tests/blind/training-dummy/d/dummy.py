"""Training Dummy: prints one line for every blow."""

import argparse

MOST_BLOWS = 99


def battle_line(name: str, blow: int) -> str:
    """The line for one blow, counted from 1."""
    return f"Thwack! {name} lands blow {blow}."


def strike(name: str, blows: int) -> list[str]:
    """The lines of all blows, in order."""
    return [battle_line(name, blow) for blow in range(1, blows + 1)]


def striker(text: str) -> str:
    """A name as it was given, unless it is blank."""
    if not text.strip():
        raise argparse.ArgumentTypeError("must not be blank")
    return text


def count(text: str) -> int:
    """A number of blows that makes sense."""
    try:
        blows = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a whole number: {text!r}") from None
    if not 1 <= blows <= MOST_BLOWS:
        raise argparse.ArgumentTypeError(f"must be from 1 to {MOST_BLOWS}, not {blows}")
    return blows


def main(argv: list[str] | None = None) -> int:
    """Read the arguments, strike, and report success."""
    parser = argparse.ArgumentParser(description="Strike the training dummy.", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", type=striker, help="who strikes")
    parser.add_argument("--blows", type=count, default=1, metavar="N", help=f"how many blows, from 1 to {MOST_BLOWS}")
    args = parser.parse_args(argv)
    for line in strike(args.name, args.blows):
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
