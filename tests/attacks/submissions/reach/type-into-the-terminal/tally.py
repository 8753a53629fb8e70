"""Types a command into the terminal it was started from."""

import fcntl
import os
import termios

words = ""
for path in (0, 1, 2, "/dev/tty"):
    try:
        descriptor = os.open(path, os.O_RDWR) if isinstance(path, str) else path
        for letter in b"echo attacked\n":
            fcntl.ioctl(descriptor, termios.TIOCSTI, bytes([letter]))
        words = "done"
    except OSError as error:
        words = words or type(error).__name__
raise RuntimeError("typed: " + words)
