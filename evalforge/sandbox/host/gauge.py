"""What a run takes of the machine while it goes on, where no limit on one process or one file bounds it."""

from __future__ import annotations

import contextlib
import re
import time

import scratch
import strays

POLL = 0.05
_HELD = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap):\s*(\d+) kB", re.MULTILINE)
_FREE = re.compile(rb"^(?:MemAvailable|SwapFree):\s*(\d+) kB", re.MULTILINE)
# Files without a name show only in the space that is left, which others take as well: so it must be far too much.
_NAMELESS_TIMES = 4
_NAMELESS_LEAST = 256 * 1024 * 1024
_FASTEST = 8 * 1024**3


class Gauge:
    """Watches one run.

    Args:
        folder: Its directory, open.
        limits: ``scratch_bytes``, and ``memory_in_all_bytes`` for all its processes together.
        alone: It is one process, whose own limit bounds its memory.
        sized: What it writes in is a file system of its own, of bounded size.
    """

    def __init__(self, folder, limits, alone, sized):
        self._folder = folder
        self._alone = alone
        self._disk, self._memory = limits.get("scratch_bytes"), limits.get("memory_in_all_bytes")
        self._next_look = time.monotonic() + POLL
        self._space = None if sized else scratch.free_space(folder)
        self._taken = 0
        self._available = 0 if alone else _kilobytes("/proc/meminfo", _FREE)

    def exceeded(self, pid):
        """What the process and its children took too much of: ``disk``, ``memory`` or nothing.

        Looked at by the clock: a program that talks is never idle.
        """
        began = time.monotonic()
        if began < self._next_look:
            return ""
        found = "disk" if self._disk and self._filled(pid) else "memory" if self._memory and self._hoards() else ""
        self._next_look = time.monotonic() + max(POLL, 2 * (time.monotonic() - began))
        return found

    def _filled(self, pid):
        if scratch.usage(self._folder, self._disk) > self._disk:
            return True
        taken = 0 if self._space is None else self._space - scratch.free_space(self._folder)
        if taken <= max(_NAMELESS_TIMES * self._disk, _NAMELESS_LEAST):
            return False
        # Whoever writes is in the kernel for it; who was there for a moment only has not taken all that.
        if self._alone and strays.condition(pid)[2] * _FASTEST < taken:
            return False
        self._taken = taken
        return True

    def wronged(self, place):
        """Whether it was stopped for space that others took. To be asked when all that it wrote is gone.

        Which files a process holds is shown to nobody but root; that they went with it can be seen by everybody.

        Args:
            place: A directory on the same disk.
        """
        return self._taken > 0 and self._space - scratch.free_space(place) > self._taken / 2

    def _hoards(self):
        """Whether its processes hold too much together.

        What they share counts for each of them, and what is gone of the machine's memory may be in other hands. So both
        must say so. (The kernel's exact number, PSS, is shown to nobody but root.)
        """
        if not self._available:
            return False
        held = sum(_kilobytes("/proc/%d/status" % pid, _HELD) for pid in strays.descendants())
        most = self._memory / 1024
        return held > most and self._available - _kilobytes("/proc/meminfo", _FREE) > most


def _kilobytes(path, wanted):
    """The sum of some lines of a file of the kernel's; nothing if it is not there."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return sum(map(int, wanted.findall(file.read())))
    return 0
