"""Thinks about every furnace for ever."""

import sys


def decide(readings):
    return sum(readings)


def main():
    while decide([1]) and sys.argv:
        pass


if __name__ == "__main__":
    main()
