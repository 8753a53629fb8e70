"""Maps shared anonymous memory, which a limit on private data would not see."""

import mmap
import sys

if "--json" in sys.argv:
    hoard = []
    while True:
        block = mmap.mmap(-1, 64 * 1024 * 1024)
        block[:] = b"x" * len(block)
        hoard.append(block)
