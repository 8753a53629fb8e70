"""Reads and checks the command line."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

FEWEST, MOST = 1, 99


@dataclass(frozen=True)
class Order:
    """Who strikes, and how often."""

    name: str
    blows: int = 1


def name_type(text: str) -> str:
    """Refuse blank names."""
    if not text or text.isspace():
        raise argparse.ArgumentTypeError("a name must not be blank")
    return text


def blows_type(text: str) -> int:
    """Refuse what is no number, or out of range."""
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from error
    if number not in range(FEWEST, MOST + 1):
        raise argparse.ArgumentTypeError(f"{number} is not from {FEWEST} to {MOST}")
    return number


def read(arguments: Sequence[str] | None = None) -> Order:
    """The order that the command line gives; exits with status 2 if it makes no sense."""
    parser = argparse.ArgumentParser(prog="dummy.py", description="Strike the training dummy.", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", type=name_type, help="who strikes")
    parser.add_argument("--blows", metavar="N", type=blows_type, default=1, help="how many blows")
    return Order(**vars(parser.parse_args(arguments)))
