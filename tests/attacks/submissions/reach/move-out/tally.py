"""Moves a file of its own out, and one from outside in."""

import os

from world import OPEN_FILE, OUTSIDE

words = []
with open("mine.txt", "w") as file:
    file.write("mine")
for source, target in (("mine.txt", OUTSIDE + "/mine.txt"), (OPEN_FILE, "open.txt")):
    try:
        os.rename(source, target)
        words.append("done")
    except OSError as error:
        words.append(type(error).__name__)
raise RuntimeError("moved: " + ", ".join(words))
