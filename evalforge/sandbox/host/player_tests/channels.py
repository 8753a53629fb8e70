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
    descriptors = frozenset(number for number in range(_MAX_DESCRIPTORS) if _is_open(number))
    return ChannelCount(descriptors, len(vars(sys)["_current_frames"]()), _has_children())


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except (OSError, AttributeError):  # macOS has no ``waitid`` in older versions of Python
        return False
    return True
