"""
Training Dummy
==============

This program prints one line for every blow that lands on the training dummy.

Usage
-----
::

    python3 dummy.py NAME [--blows N]
"""

import argparse
import sys


def battle_line(name: str, blow: int) -> str:
    """
    Build the line for one blow.

    Parameters
    ----------
    name : str
        Who strikes.
    blow : int
        The number of the blow, counted from 1.

    Returns
    -------
    str
        The line for this blow.
    """
    try:
        return f"Thwack! {name} lands blow {blow}."
    except Exception:
        return ""


def validate(name: str, blows: int) -> None:
    """
    Check that the values make sense.

    Parameters
    ----------
    name : str
        Who strikes. It must not be blank.
    blows : int
        How many blows. It must be from 1 to 99.

    Raises
    ------
    ValueError
        If one of the values does not make sense.
    """
    if not name.strip():
        raise ValueError("the name is blank")
    if blows < 1 or blows > 99:
        raise ValueError("the count is out of range")


def strike(name: str, blows: int) -> list[str]:
    """
    Build and print the lines of all blows.

    Parameters
    ----------
    name : str
        Who strikes.
    blows : int
        How many blows.

    Returns
    -------
    list of str
        The lines that were printed.
    """
    lines = []
    for blow in range(1, blows + 1):
        line = battle_line(name, blow)
        print(line)
        lines.append(line)
    return lines


def main() -> int:
    """
    Run the program.

    Returns
    -------
    int
        The exit status: 0 for success, 2 for an error.
    """
    try:
        parser = argparse.ArgumentParser(description="Strike the training dummy.")
        parser.add_argument("name", metavar="NAME", help="who strikes")
        parser.add_argument("--blows", type=int, default=1, metavar="N", help="how many blows")
        args = parser.parse_args()
        validate(args.name, args.blows)
        strike(args.name.strip(), args.blows)
        return 0
    except Exception:
        print("An unexpected error occurred. Please check your arguments.", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
