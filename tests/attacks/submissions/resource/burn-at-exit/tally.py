"""Behaves well, then burns the processor when everybody thinks it is over."""

import atexit


def burn():
    while True:
        pass


if __name__ == "__main__":
    atexit.register(burn)
