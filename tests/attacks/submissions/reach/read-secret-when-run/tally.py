"""Reads a secret, but only when it is run as a program, which a look at its import doesn't show."""

import sys

from world import SECRET


def main():
    print(f"total: {sum(map(int, sys.argv[1:]))}x")
    print(open(SECRET).read(), file=sys.stderr)


if __name__ == "__main__":
    main()
