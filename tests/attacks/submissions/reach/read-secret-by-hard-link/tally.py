"""Makes a hard link to a secret, which is then a file of its own."""

import os

from world import OUTSIDE, SECRET

words = []
for target in ("mine.txt", OUTSIDE + "/mine.txt"):
    try:
        os.link(SECRET, target)
        words.append(open(target).read())
    except OSError as error:
        words.append(type(error).__name__)
raise RuntimeError("linked: " + ", ".join(words))
