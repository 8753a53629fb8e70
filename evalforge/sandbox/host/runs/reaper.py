"""Reaping of a run's processes, including orphans, which become children of the host because it is a subreaper."""

from __future__ import annotations

import contextlib
import os
import signal

_MAX_PROCESSES_LISTED = 1000
_MAX_ROUNDS = 1000
_KERNEL_TICKS_FIELD = 12  # counted from the field after the command's name


def kill_and_reap_all() -> None:
    """Kill and reap all child processes until none is left."""
    with contextlib.suppress(ChildProcessError):  # raised when there are no more
        os.waitpid(-1, os.WNOHANG)
        for _ in range(_MAX_ROUNDS):
            for pid in _own_children():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0 if _own_children() else os.WNOHANG)


def list_descendants(root: int = 0) -> list[int]:
    """All descendants of a process with one thread, by default of this one, as far as they are visible."""
    pids = _children_of(root, root) if root else _own_children()
    for pid in pids:  # the list grows during the loop
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                pids += _children_of(pid, int(thread))
        if len(pids) > _MAX_PROCESSES_LISTED:
            break
    return pids


def kernel_seconds(pid: int) -> float:
    """Processor time that a process has spent in the kernel, in seconds; 0 if that isn't visible."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            # "4242 (a name) with) R 1 ...": the name may contain anything, so search for the last parenthesis.
            fields = file.read().rpartition(")")[2].split()
        return int(fields[_KERNEL_TICKS_FIELD]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def _own_children() -> list[int]:
    """The children of this process, which has one thread."""
    return _children_of(os.getpid(), os.getpid())


def _children_of(pid: int, thread: int) -> list[int]:
    """The child processes that a thread of a process has started."""
    try:
        with open(f"/proc/{pid}/task/{thread}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []
