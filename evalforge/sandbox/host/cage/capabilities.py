"""Capabilities: giving up root's special rights for good, and changing from root to another user."""

from __future__ import annotations

import errno
import os
import struct

from . import syscalls

_CAPABILITY_ABI = 0x20080522  # _LINUX_CAPABILITY_VERSION_3
_EMPTY_SETS = bytes(24)
_PR_CAPBSET_DROP, _PR_SET_SECUREBITS, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 24, 28, 47, 4
# Root's id grants nothing, neither on exec nor on a change of ids; capabilities don't survive a change of ids; locked.
_SECUREBITS = 0b11101111
_CAP_SETGID_AND_SETUID = 1 << 6 | 1 << 7
_CAP_SETPCAP = 1 << 8
_CAPABILITIES_MAX = 64

_bounding_set_dropped: list[bool] = []
"""Not empty once this process has emptied its bounding set; forks inherit that."""


def _capability_sets() -> tuple[int, int, int]:
    """The effective, permitted and inheritable capabilities of this thread."""
    memory = syscalls.Buffer(_EMPTY_SETS)
    syscalls.call("capget", struct.pack("=Ii", _CAPABILITY_ABI, 0), memory)
    low_e, low_p, low_i, high_e, high_p, high_i = struct.unpack("=6I", memory.content)
    return low_e | high_e << 32, low_p | high_p << 32, low_i | high_i << 32


def may_change_ids() -> bool:
    """Whether this process may change to another user."""
    return _capability_sets()[0] & _CAP_SETGID_AND_SETUID == _CAP_SETGID_AND_SETUID


def drop_bounding_set() -> None:
    """Empty the bounding set, if that is allowed, so that no program run by this process or its forks is privileged.

    Without the right to do so, forks have no privileges to gain either.
    """
    if _capability_sets()[0] & _CAP_SETPCAP:
        for number in range(_CAPABILITIES_MAX):
            try:
                syscalls.prctl(_PR_CAPBSET_DROP, number)
            except OSError:  # past the last capability that this kernel knows
                break
    _bounding_set_dropped.append(True)


def drop_all(in_new_user_namespace: bool = False) -> None:
    """Empty every set of capabilities, so that not even root's files can bring one back.

    Args:
        in_new_user_namespace: Whether this process is in a new user namespace, where the bounding set is full again.

    Raises:
        OSError: Some are left.
    """
    if in_new_user_namespace or not _bounding_set_dropped:
        drop_bounding_set()
    if _capability_sets()[0] & _CAP_SETPCAP:
        syscalls.prctl(_PR_SET_SECUREBITS, _SECUREBITS)
    syscalls.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    syscalls.call("capset", struct.pack("=Ii", _CAPABILITY_ABI, 0), _EMPTY_SETS)
    if any(_capability_sets()):
        raise OSError(errno.EPERM, "capabilities are left")


def become_user(user: int) -> None:
    """Change to the ids of a user and its group, for good.

    Raises:
        OSError: The kernel refuses.
    """
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
