"""Sends a frame in which nothing is answered, raised or asked."""

import os

for number in range(3, 16):
    try:
        os.write(number, b"\x00\x00\x00\x02{}" * 100)
    except OSError:
        continue
