"""Fills the memory, but only when it is run as a program."""

import sys

if "--json" in sys.argv:
    hoard = []
    while True:
        hoard.append(bytearray(64 * 1024 * 1024))
