"""Processes of a run, and those it left behind: they become children of the host, which is a subreaper."""

from __future__ import annotations

import contextlib
import os
import signal

_MAX_PROCESSES_LISTED = 1000
_MAX_ROUNDS = 1000
_KERNEL_TICKS_FIELD = 12  # counted from the one behind the command's name


def kill_and_reap_all() -> None:
    """Kill and reap every process that was left to us, until there is none."""
    with contextlib.suppress(ChildProcessError):  # that there are no more
        os.waitpid(-1, os.WNOHANG)
        for _ in range(_MAX_ROUNDS):
            for pid in _own_children():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0 if _own_children() else os.WNOHANG)


def list_descendants(root: int = 0) -> list[int]:
    """The processes below one that has one thread, this one if none is named, as far as they are shown."""
    pids = _children_of(root, root) if root else _own_children()
    for pid in pids:  # which grows meanwhile
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                pids += _children_of(pid, int(thread))
        if len(pids) > _MAX_PROCESSES_LISTED:
            break
    return pids


def kernel_seconds(pid: int) -> float:
    """Processor time that a process has spent in the kernel; 0 if that is not shown."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            # "4242 (a name) with) R 1 ...": the name may hold anything, so it ends at the last parenthesis.
            fields = file.read().rpartition(")")[2].split()
        return int(fields[_KERNEL_TICKS_FIELD]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def _own_children() -> list[int]:
    """What this process has started; it has one thread."""
    return _children_of(os.getpid(), os.getpid())


def _children_of(pid: int, thread: int) -> list[int]:
    """What a thread of a process has started."""
    try:
        with open(f"/proc/{pid}/task/{thread}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []
