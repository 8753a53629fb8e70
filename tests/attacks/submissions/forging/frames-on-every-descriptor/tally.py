"""Speaks the language of the border: a length and JSON, answers and trial results, on every descriptor."""

import json
import os
import struct


def frame(message):
    body = json.dumps(message).encode()
    return struct.pack(">I", len(body)) + body


told = b"".join(
    frame(message)
    for message in (
        {"ok": True},
        {"ok": None},
        {"kind": "trial_finished", "trial": {"id": "x", "title": "x", "group": "adds", "outcome": "passed"}},
        {"kind": "ended", "fatal": ""},
        {"ended": "exit", "exit": 0, "signal": None, "stdout": "", "stderr": "", "files": {}, "report": {}, "stuck": None, "seconds": 0},
    )
)
for number in range(3, 64):
    try:
        os.write(number, told * 20)
    except OSError:
        continue


class Tally:
    pass
