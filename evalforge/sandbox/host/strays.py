"""Processes of a run, and those it left behind: they become children of the host."""

from __future__ import annotations

import contextlib
import os
import signal

_SEEN_MOST = 1000


def end_all():
    """Kill and reap every process that was left to us, until there is none."""
    with contextlib.suppress(ChildProcessError):  # that there are no more
        os.waitpid(-1, os.WNOHANG)
        for _ in range(1000):
            for pid in _own():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0 if _own() else os.WNOHANG)


def descendants():
    """The processes below this one, as far as they are shown."""
    found = _own()
    for pid in found:  # which grows meanwhile
        with contextlib.suppress(OSError):
            for thread in os.listdir("/proc/%d/task" % pid):
                found += _children(pid, int(thread))
        if len(found) > _SEEN_MOST:
            break
    return found


def condition(pid):
    """The state of a process, and its seconds in the program and in the kernel; no state if it is not shown."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            parts = file.read().rpartition(")")[2].split()
    except (OSError, ValueError):
        return "", 0.0, 0.0
    tick = os.sysconf("SC_CLK_TCK")
    return parts[0], int(parts[11]) / tick, int(parts[12]) / tick


def _own():
    """What this process has started; it has one thread."""
    return _children(os.getpid(), os.getpid())


def _children(pid, thread):
    """What a thread of a process has started."""
    try:
        with open("/proc/%d/task/%d/children" % (pid, thread)) as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []
