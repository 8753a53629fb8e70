"""The means by which a process and its forks can communicate: descriptors, threads and children."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

_MAX_DESCRIPTORS = 256


class ChannelCount(NamedTuple):
    """What a process has open: its descriptors, the number of its threads, and whether it has children."""

    descriptors: frozenset[int]
    threads: int
    has_children: bool


def count_channels() -> ChannelCount:
    """Count the descriptors, threads and children of this process."""
    null = os.stat(os.devnull).st_rdev
    descriptors = frozenset(number for number in range(_MAX_DESCRIPTORS) if _carries_data(number, null))
    return ChannelCount(descriptors, len(vars(sys)["_current_frames"]()), _has_children())


def _carries_data(descriptor: int, null: int) -> bool:
    """Whether a descriptor is open, and not on the null device, as that of pytest's log is."""
    try:
        return os.fstat(descriptor).st_rdev != null
    except OSError:
        return False


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except (OSError, AttributeError):  # macOS has no ``waitid`` in older versions of Python
        return False
    return True
