"""Floods every descriptor it finds, whoever listens there."""

import os
import threading


def flood(descriptor):
    try:
        while True:
            os.write(descriptor, b"x" * 65536)
    except OSError:
        pass


for number in range(64):
    threading.Thread(target=flood, args=(number,)).start()
