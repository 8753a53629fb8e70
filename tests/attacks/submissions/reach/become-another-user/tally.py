"""Becomes root, or somebody else, or mounts something."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
done = 0
for deed in (lambda: os.setuid(12345), lambda: os.setgroups([0, 27]), lambda: os.chroot("/")):
    try:
        deed()
        done += 1
    except OSError:
        pass
done += libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0
done += libc.unshare(0x10000000) == 0
done += libc.sethostname(b"attacked", 8) == 0
raise RuntimeError("done: %d" % done)
