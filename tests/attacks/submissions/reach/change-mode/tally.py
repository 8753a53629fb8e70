"""Opens a file to all, or to nobody."""

import os

from world import OPEN_FILE

os.chmod(OPEN_FILE, 0o700)
try:
    mode = "%o" % (os.stat(OPEN_FILE).st_mode & 0o777)
except OSError as error:
    mode = type(error).__name__
raise RuntimeError("mode: " + mode)
