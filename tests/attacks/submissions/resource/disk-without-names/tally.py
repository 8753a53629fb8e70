"""Takes space for file after file, and holds each by a page of it in memory: no name is left, and no descriptor."""

import mmap
import os
import sys

if "--json" in sys.argv:
    held = []
    for _ in range(18):
        file = os.open("f", os.O_RDWR | os.O_CREAT)
        os.posix_fallocate(file, 0, 16 * 1024 * 1024)
        os.unlink("f")
        held.append(mmap.mmap(file, 4096))
        os.close(file)
    while True:  # as busy in the kernel as somebody who writes
        os.urandom(1024 * 1024)
