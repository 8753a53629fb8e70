#!/usr/bin/env python3
"""Training Dummy: the way into the yard."""

import sys

from yard.gate import enter
from yard.words import battle_line, strike

__all__ = ["battle_line", "main", "strike"]


def main(arguments=None):
    """Enter with these arguments, or with those of the command line."""
    return enter(sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
