"""Forks twice and keeps every descriptor open, for whoever waits for the end of a stream."""

import os
import time

if os.fork() == 0:
    if os.fork() == 0:
        time.sleep(300)
    os._exit(0)
