"""Fills the memory, but only when it is run as a program."""

import sys

if "--json" in sys.argv:
    hoard = []
    while True:
        hoard.append(bytearray(1024**3))  # refused at once: smaller ones may need longer than it may run
