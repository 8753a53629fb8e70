"""Raises exceptions that can't be: with an infinite line, no type, a type of classes that don't mix, no words at all."""

import json
import os
import struct

whole = {"type": "x", "bases": ["ValueError"], "message": "", "args": [], "path": "", "line": 1, "handle": None}
for message in (
    {"raised": {**whole, "line": 1e999}},
    {"raised": None},
    {"raised": {**whole, "bases": ["ExceptionGroup"]}},
    {"raised": {**whole, "bases": ["KeyError", "OSError"], "type": "\0"}},
    {"raised": {**whole, "type": "x" * 1_000_00, "path": "/etc/passwd", "args": [{"!": "decimal", "v": "x"}]}},
):
    body = json.dumps(message).encode()
    for number in range(3, 16):
        try:
            os.write(number, struct.pack(">I", len(body)) + body)
        except OSError:
            continue
