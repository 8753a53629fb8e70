"""Answers with handles that have no number, an infinite one, or that of an object nobody knows."""

import os
import struct

for body in (b'{"ok":{"!":"handle"}}', b'{"ok":{"!":"handle","v":1e999}}', b'{"ok":{"!":"handle","v":{},"base":[]}}'):
    for number in range(3, 16):
        try:
            os.write(number, struct.pack(">I", len(body)) + body)
        except OSError:
            continue
