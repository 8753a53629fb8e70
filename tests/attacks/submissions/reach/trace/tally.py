"""Attaches to another process as a debugger would, and reads its memory."""

import ctypes
import os

from world import VICTIM

libc = ctypes.CDLL(None, use_errno=True)
words = []
for pid in (VICTIM, os.getppid()):
    ended = libc.ptrace(16, pid, 0, 0)
    words.append("ptrace %s" % (os.strerror(ctypes.get_errno()) if ended else "done"))
    ended = libc.process_vm_readv(pid, None, 0, None, 0, 0)
    words.append("readv %s" % (os.strerror(ctypes.get_errno()) if ended else "done"))
    try:
        open("/proc/%d/mem" % pid, "rb").read(1)
        words.append("mem done")
    except OSError as error:
        words.append(type(error).__name__)
raise RuntimeError("; ".join(words))
