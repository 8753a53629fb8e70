"""Processes that a run left behind: they become children of the host."""

from __future__ import annotations

import contextlib
import os
import signal


def end_all():
    """Kill and reap every process that was left to us, until there is none."""
    with contextlib.suppress(ChildProcessError):  # that there are no more
        os.waitpid(-1, os.WNOHANG)
        for _ in range(1000):
            for pid in _children():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0 if _children() else os.WNOHANG)


def _children():
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []
