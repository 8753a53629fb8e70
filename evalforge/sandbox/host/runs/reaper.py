"""Processes of a run, and those it left behind: they become children of the host, which is a subreaper."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import NamedTuple

_MAX_PROCESSES_LISTED = 1000
_MAX_ROUNDS = 1000
_STATE_FIELD, _USER_TICKS_FIELD, _KERNEL_TICKS_FIELD = 0, 11, 12  # counted from the one behind the command's name


class ProcessState(NamedTuple):
    """What the kernel shows of a process.

    Attributes:
        letter: ``R`` for running, ``S`` for sleeping, ``D`` for waiting for a disk and so on; empty if not shown.
        user_seconds: Processor time spent in the program.
        kernel_seconds: Processor time spent in the kernel.
    """

    letter: str = ""
    user_seconds: float = 0.0
    kernel_seconds: float = 0.0


def kill_and_reap_all() -> None:
    """Kill and reap every process that was left to us, until there is none."""
    with contextlib.suppress(ChildProcessError):  # that there are no more
        os.waitpid(-1, os.WNOHANG)
        for _ in range(_MAX_ROUNDS):
            for pid in _own_children():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0 if _own_children() else os.WNOHANG)


def list_descendants() -> list[int]:
    """The processes below this one, as far as they are shown."""
    pids = _own_children()
    for pid in pids:  # which grows meanwhile
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                pids += _children_of(pid, int(thread))
        if len(pids) > _MAX_PROCESSES_LISTED:
            break
    return pids


def process_state(pid: int) -> ProcessState:
    """The state of a process, and the processor time that it has used."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            # "4242 (a name) with) R 1 ...": the name may hold anything, so it ends at the last parenthesis.
            fields = file.read().rpartition(")")[2].split()
    except (OSError, ValueError):
        return ProcessState()
    ticks_per_second = os.sysconf("SC_CLK_TCK")
    return ProcessState(
        fields[_STATE_FIELD],
        int(fields[_USER_TICKS_FIELD]) / ticks_per_second,
        int(fields[_KERNEL_TICKS_FIELD]) / ticks_per_second,
    )


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
