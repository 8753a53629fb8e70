"""Writes files of eight megabytes until the disk is full."""

import itertools

for number in itertools.count():
    with open("hoard-%d" % number, "wb") as file:
        file.write(b"x" * 8 * 1024 * 1024)
