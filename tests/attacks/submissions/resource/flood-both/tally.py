"""Floods both streams from two threads at once, past Python's own buffers."""

import os
import threading


def flood(descriptor):
    while True:
        os.write(descriptor, b"x" * 65536)


threading.Thread(target=flood, args=(2,), daemon=True).start()
flood(1)
