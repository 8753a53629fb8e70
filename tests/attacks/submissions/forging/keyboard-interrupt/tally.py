"""Raises KeyboardInterrupt everywhere, and sends itself the signal as well."""

import os
import signal


class Tally:
    def __init__(self, limit=None):
        raise KeyboardInterrupt


if __name__ != "tally":
    os.kill(os.getpid(), signal.SIGINT)
    raise KeyboardInterrupt
