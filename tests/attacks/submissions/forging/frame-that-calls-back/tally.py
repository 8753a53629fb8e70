"""Calls back to functions of the trial that it was never given, by numbers that are none."""

import os
import struct

for body in (b'{"callback":0,"args":[],"kwargs":{}}', b'{"callback":1e999,"args":[],"kwargs":{}}', b'{"callback":-1}', b"[]"):
    for number in range(3, 16):
        try:
            os.write(number, struct.pack(">I", len(body)) + body)
        except OSError:
            continue
