"""Which process writes an attempt, so that one that died can be told from one that is slow."""

import os
from pathlib import Path


def _birth(pid: int) -> str:
    """When a process began, in clock ticks since boot; a number is used again, a birth is not. Empty if unknown."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def me() -> str:
    """This process."""
    return f"{os.getpid()}:{_birth(os.getpid())}"


def is_alive(owner: str) -> bool:
    """Whether the process that ``me`` named is still there."""
    pid, _, birth = owner.partition(":")
    if not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return birth == _birth(int(pid))
