"""Capabilities: what root may do beyond its files, given up for good."""

from __future__ import annotations

import os
import struct

import syscalls

_VERSION_3 = 0x20080522
_EMPTY_SETS = bytes(24)
_SET_SECUREBITS, _CAPBSET_DROP, _CAP_AMBIENT, _AMBIENT_CLEAR_ALL = 28, 24, 47, 4
# Root's id grants nothing, on exec or on a change of ids; each locked. Capabilities are not kept over a change of ids.
_SECUREBITS = 0b11101111
_CAP_SETPCAP = 1 << 8
_CAP_SETGID_AND_SETUID = 1 << 6 | 1 << 7
_CAPABILITIES_MOST = 64

_narrowed = []


def _sets() -> tuple[int, int, int]:
    """The effective, permitted and inheritable capabilities of this thread."""
    held = syscalls.buffer(_EMPTY_SETS)
    syscalls.call("capget", struct.pack("=Ii", _VERSION_3, 0), held)
    low_e, low_p, low_i, high_e, high_p, high_i = struct.unpack("=6I", bytes(held))
    return low_e | high_e << 32, low_p | high_p << 32, low_i | high_i << 32


def may_change_ids() -> bool:
    """Whether this process could become another user."""
    return _sets()[0] & _CAP_SETGID_AND_SETUID == _CAP_SETGID_AND_SETUID


def narrow() -> None:
    """Empty the bounding set, if there is the right to: no program that this process or its forks run is privileged.

    Without the right, forks have it no more than this process.
    """
    if _sets()[0] & _CAP_SETPCAP:
        for number in range(_CAPABILITIES_MOST):
            try:
                syscalls.prctl(_CAPBSET_DROP, number)
            except OSError:  # past the last one this kernel knows
                break
    _narrowed.append(True)


def drop(anew: bool = False) -> None:
    """Empty every set of capabilities, so that not even root's files can bring one back.

    Args:
        anew: This is a new user namespace, in which the bounding set is full again.

    Raises:
        OSError: Some are left.
    """
    if anew or not _narrowed:
        narrow()
    if _sets()[0] & _CAP_SETPCAP:
        syscalls.prctl(_SET_SECUREBITS, _SECUREBITS)
    syscalls.prctl(_CAP_AMBIENT, _AMBIENT_CLEAR_ALL)
    syscalls.call("capset", struct.pack("=Ii", _VERSION_3, 0), _EMPTY_SETS)
    if any(_sets()):
        raise OSError(1, "capabilities are left")


def become(user: int) -> None:
    """Take the ids of a user and group, for good.

    Raises:
        OSError: The kernel refuses.
    """
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
