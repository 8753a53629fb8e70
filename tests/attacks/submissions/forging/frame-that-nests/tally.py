"""Sends frames and reports that nest a hundred thousand deep."""

import os
import struct

body = b"[" * 60_000
for number in range(3, 16):
    try:
        os.write(number, struct.pack(">I", len(body)) + body)
        os.write(number, body)
    except OSError:
        continue
os._exit(0)
