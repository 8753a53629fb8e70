"""Monitoring of a run's disk and memory use, for totals that no limit on one process or one file covers."""

from __future__ import annotations

import contextlib
import re
import time

from protocol.run_messages import RunLimits

from . import reaper, scratch

POLL_SECONDS = 0.05
_HELD_MEMORY = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap):\s*(\d+) kB", re.MULTILINE)
"""Matches lines of ``/proc/PID/status``, e.g. ``RssAnon:     1234 kB``."""
_TAKEN_MEMORY = re.compile(rb"^(?:AnonPages|Shmem):\s*(\d+) kB", re.MULTILINE)
_FREE_SWAP = re.compile(rb"^SwapFree:\s*(\d+) kB", re.MULTILINE)
"""Matches the free swap in ``/proc/meminfo``, e.g. ``SwapFree:    654321 kB``.

``MemAvailable`` isn't used: on virtual machines that return memory to their host, freed memory may take a minute to
show there.
"""
# Unlinked files show only in the free space of the disk, which others use too: so the excess must be large.
_UNNAMED_FACTOR = 4
_UNNAMED_MIN_BYTES = 256 * 1024 * 1024
_FASTEST_DISK_BYTES_PER_SECOND = 8 * 1024**3


class ResourceMonitor:
    """Watches how much disk and memory one run uses.

    Args:
        folder: The run's directory, open.
        limits: ``scratch_bytes``, and ``memory_in_all_bytes`` for all its processes together.
        is_single_process: Whether it is one process, whose memory has a limit of its own.
        has_sized_disk: Whether it writes to a file system of its own with a fixed size.
    """

    def __init__(self, folder: int, limits: RunLimits, is_single_process: bool, has_sized_disk: bool) -> None:
        self._folder = folder
        self._is_single_process = is_single_process
        self._max_disk_bytes = limits.scratch_bytes
        self._max_memory_bytes = limits.memory_in_all_bytes
        self._next_check = time.monotonic() + POLL_SECONDS
        self._initial_free_bytes = None if has_sized_disk else scratch.free_bytes(folder)
        self._taken_bytes = 0
        self._initial_taken_kb = 0 if is_single_process else _taken_kilobytes()

    def exceeded_limit(self, pid: int) -> str:
        """The resource that the process and its children use too much of: ``disk``, ``memory`` or none.

        The check runs at fixed intervals, since a program that keeps writing is never idle.
        """
        began = time.monotonic()
        if began < self._next_check:
            return ""
        excess = ""
        if self._max_disk_bytes and self._exceeds_disk(pid):
            excess = "disk"
        elif self._max_memory_bytes and self._exceeds_memory():
            excess = "memory"
        self._next_check = time.monotonic() + max(POLL_SECONDS, 2 * (time.monotonic() - began))
        return excess

    def _exceeds_disk(self, pid: int) -> bool:
        if scratch.used_bytes(self._folder, self._max_disk_bytes) > self._max_disk_bytes:
            return True
        if self._initial_free_bytes is None:
            return False
        used_bytes = self._initial_free_bytes - scratch.free_bytes(self._folder)
        if used_bytes <= max(_UNNAMED_FACTOR * self._max_disk_bytes, _UNNAMED_MIN_BYTES):
            return False
        # Writing takes time in the kernel; a process with little of that can't have used all that space.
        seconds_in_kernel = reaper.kernel_seconds(pid)
        if self._is_single_process and seconds_in_kernel * _FASTEST_DISK_BYTES_PER_SECOND < used_bytes:
            return False
        self._taken_bytes = used_bytes
        return True

    def was_wronged(self, folder: str) -> bool:
        """Whether the run was stopped for space that others used. Call this after all its files are removed.

        Only root can see which files a process has open, but everybody can see whether the space is free afterwards.

        Args:
            folder: A directory on the same disk.
        """
        if not self._taken_bytes or self._initial_free_bytes is None:
            return False
        return self._initial_free_bytes - scratch.free_bytes(folder) > self._taken_bytes / 2

    def _exceeds_memory(self) -> bool:
        """Whether its processes together use too much memory.

        Memory shared between them is counted for each, and the machine's used memory may belong to others. So both
        numbers must exceed the limit. (Only root can read PSS, the kernel's exact number.)
        """
        if not self._initial_taken_kb:
            return False
        held_kb = sum(_sum_kilobytes(f"/proc/{pid}/status", _HELD_MEMORY) for pid in reaper.list_descendants())
        max_kb = self._max_memory_bytes / 1024
        if held_kb <= max_kb:
            return False
        return _taken_kilobytes() - self._initial_taken_kb > max_kb


def _taken_kilobytes() -> int:
    """The machine's used memory and swap in kB, apart from a constant."""
    return _sum_kilobytes("/proc/meminfo", _TAKEN_MEMORY) - _sum_kilobytes("/proc/meminfo", _FREE_SWAP)


def _sum_kilobytes(path: str, pattern: re.Pattern[bytes]) -> int:
    """The sum of the matching lines of a kernel file; 0 if it can't be read."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return sum(map(int, pattern.findall(file.read())))
    return 0
