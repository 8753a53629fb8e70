"""Names the process that writes an attempt, so that a crashed judging can be distinguished from a slow one.

A name is ``pid:start``, as in ``4711:190225``: pids are reused, start times aren't. The start is
empty without ``/proc``.
"""

import os
from pathlib import Path


def _start_ticks(pid: int) -> str:
    """Return when a process began, in clock ticks since boot; empty if unknown."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def current_owner() -> str:
    """The name of this process."""
    return f"{os.getpid()}:{_start_ticks(os.getpid())}"


def is_alive(owner: str) -> bool:
    """Return whether the process with this name is still running."""
    pid, _, start_ticks = owner.partition(":")
    if not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return start_ticks == _start_ticks(int(pid))
