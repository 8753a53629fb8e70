"""Kills its parent, the judge, and everybody else it may."""

import os
import signal

from world import JUDGE, VICTIM

for pid in (VICTIM, os.getppid(), JUDGE, -1, 0, 1):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
