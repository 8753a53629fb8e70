"""Strike the training dummy: one line for every blow."""

import argparse
import sys

MOST_BLOWS = 99


def battle_line(name: str, blow: int) -> str:
    return f"Thwack! {name} lands blow {blow}."


def strike(name: str, blows: int) -> list[str]:
    return [battle_line(name, blow) for blow in range(1, blows + 1)]


def striker(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("must not be blank")
    return text


def count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_BLOWS):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MOST_BLOWS}, not {text!r}")
    return int(text)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", type=striker, help="who strikes")
    parser.add_argument("--blows", metavar="N", type=count, default=1, help="how many blows, from 1 to 99")
    options = parser.parse_args(arguments)
    # Arguments that are not valid text come in with surrogates, and go out again as the same bytes.
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    print("\n".join(strike(options.name, options.blows)))


if __name__ == "__main__":
    main()
