"""Opens files and sockets by raw system calls, which no audit of Python's sees."""

import ctypes
import os

from world import SECRET

libc = ctypes.CDLL(None, use_errno=True)
opened = libc.syscall(257, -100, SECRET.encode(), 0)
if opened >= 0:
    print(os.read(opened, 100))
wired = libc.syscall(41, 2, 1, 0)
raise RuntimeError("raw: %d, %d" % (opened, wired))
