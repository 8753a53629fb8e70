"""List a book: python -m tornpage FILE."""

import sys
from pathlib import Path

from tornpage.facade import Store


def main(arguments: list[str]) -> int:
    """Print a line for each entry; the exit status."""
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print("usage: python -m tornpage FILE", file=sys.stderr)
        return 2
    with Store(arguments[0]) as store:
        for key, value in store.items():
            print(f"{key!r}\t{len(value)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
