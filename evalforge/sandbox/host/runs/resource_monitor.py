"""What a run takes of the machine while it goes on, where no limit on one process or one file bounds it."""

from __future__ import annotations

import contextlib
import re
import time

from protocol.run_messages import RunLimits

from . import reaper, scratch

POLL_SECONDS = 0.05
_HELD_MEMORY = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap):\s*(\d+) kB", re.MULTILINE)
"""In ``/proc/PID/status``, e.g. ``RssAnon:     1234 kB``."""
_TAKEN_MEMORY = re.compile(rb"^(?:AnonPages|Shmem):\s*(\d+) kB", re.MULTILINE)
_FREE_SWAP = re.compile(rb"^SwapFree:\s*(\d+) kB", re.MULTILINE)
"""In ``/proc/meminfo``, e.g. ``AnonPages:    654321 kB``. What is available is no measure: on virtual machines that
hand memory back, what one process has freed may take a minute to show there."""
# Files without a name show only in the space that is left, which others take as well: so it must be far too much.
_UNNAMED_FACTOR = 4
_UNNAMED_MIN_BYTES = 256 * 1024 * 1024
_FASTEST_DISK_BYTES_PER_SECOND = 8 * 1024**3


class ResourceMonitor:
    """Watches what one run takes of disk and memory.

    Args:
        folder: Its directory, open.
        limits: ``scratch_bytes``, and ``memory_in_all_bytes`` for all its processes together.
        is_single_process: Its own limit bounds its memory.
        has_sized_disk: What it writes in is a file system of its own, of bounded size.
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
        """What the process and its children took too much of: ``disk``, ``memory`` or nothing.

        Checked by the clock: a program that talks is never idle.
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
        # Whoever writes is in the kernel for it; who was there for a moment only has not taken all that.
        seconds_in_kernel = reaper.kernel_seconds(pid)
        if self._is_single_process and seconds_in_kernel * _FASTEST_DISK_BYTES_PER_SECOND < used_bytes:
            return False
        self._taken_bytes = used_bytes
        return True

    def was_wronged(self, folder: str) -> bool:
        """Whether the run was stopped for space that others took. To be asked when all that it wrote is gone.

        Which files a process holds is shown to nobody but root; that they went with it can be seen by everybody.

        Args:
            folder: A directory on the same disk.
        """
        if not self._taken_bytes or self._initial_free_bytes is None:
            return False
        return self._initial_free_bytes - scratch.free_bytes(folder) > self._taken_bytes / 2

    def _exceeds_memory(self) -> bool:
        """Whether its processes hold too much together.

        What they share counts for each of them, and what is taken of the machine's memory may be in other hands. So
        both must say so. (The kernel's exact number, PSS, is shown to nobody but root.)
        """
        if not self._initial_taken_kb:
            return False
        held_kb = sum(_sum_kilobytes(f"/proc/{pid}/status", _HELD_MEMORY) for pid in reaper.list_descendants())
        max_kb = self._max_memory_bytes / 1024
        if held_kb <= max_kb:
            return False
        return _taken_kilobytes() - self._initial_taken_kb > max_kb


def _taken_kilobytes() -> int:
    """What programs hold of the machine's memory and swap, up to a constant."""
    return _sum_kilobytes("/proc/meminfo", _TAKEN_MEMORY) - _sum_kilobytes("/proc/meminfo", _FREE_SWAP)


def _sum_kilobytes(path: str, pattern: re.Pattern[bytes]) -> int:
    """The sum of some lines of a file of the kernel's; nothing if it is not there."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return sum(map(int, pattern.findall(file.read())))
    return 0
