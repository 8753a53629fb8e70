"""Announces four megabytes on every descriptor, and sends them a letter at a time."""

import os
import struct
import time

while True:
    for number in range(3, 16):
        try:
            os.write(number, struct.pack(">I", 4 * 1024 * 1024 - 1))
        except OSError:
            continue
    time.sleep(0.05)
