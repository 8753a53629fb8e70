"""Tries every descriptor it was born with as a way to a folder outside."""

import os

from world import SECRET

out = 0
for number in range(1024):
    for path in ("..", "../../../../../../../../../.." + SECRET, "."):
        try:
            os.close(os.open(path, os.O_RDONLY, dir_fd=number))
            out += 1
        except OSError:
            continue
raise RuntimeError("led out: %d" % out)
