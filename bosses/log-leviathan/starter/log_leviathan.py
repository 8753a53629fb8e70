"""Summarise logs of any length in one pass.

Try it:  python log_leviathan.py harbour.log --top 3
"""

import argparse
import json
import sys
from collections.abc import Iterable


def summarise(lines: Iterable[bytes], top: int) -> dict[str, object]:
    """Add up the lines of a log.

    The gate is open and nobody counts: for now every line passes unseen.
    """
    for _ in lines:
        pass
    return {"lines": 0}


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line and return the exit status."""
    parser = argparse.ArgumentParser(description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", nargs="*", help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=int, default=5, help="how many of the slowest requests to list")
    parser.add_argument("--output", metavar="PATH", help="where the summary goes")
    options = parser.parse_intermixed_args(arguments)
    print(json.dumps(summarise(sys.stdin.buffer, options.top)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
