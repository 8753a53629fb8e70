"""Makes a file look old, or somebody else's."""

import os

from world import OPEN_FILE

before = os.stat(OPEN_FILE)
for deed in (
    lambda: os.utime(OPEN_FILE, (1, 1)),
    lambda: os.chown(OPEN_FILE, os.getuid(), os.getgid()),
    lambda: os.setxattr(OPEN_FILE, "user.attack", b"here"),
):
    try:
        deed()
    except OSError:
        pass
after = os.stat(OPEN_FILE)
raise RuntimeError("still: %s" % ((before.st_mtime, before.st_uid) == (after.st_mtime, after.st_uid)))
