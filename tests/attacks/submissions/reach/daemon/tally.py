"""Becomes a daemon: forks, makes a session of its own, and stays."""

import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(300)
    os._exit(0)
