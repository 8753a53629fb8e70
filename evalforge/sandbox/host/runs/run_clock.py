"""Clocks that pause while processes wait for a processor, so that time limits don't depend on the machine's load.

They are computed outside the sandbox, where the kernel's statistics on each process are visible. A run can only read
its host's clock, so that it can't pass anything on to the next run. Without these statistics (``/proc`` is Linux only)
the clocks don't pause.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import tempfile
from collections.abc import Callable
from time import monotonic  # bound now, because tests may replace it
from typing import NamedTuple

from . import reaper

MAX_LOST_SECONDS = 400.0
"""The longest wait that is compensated in one run, in seconds."""
_MAX_LOST_SHARE = 0.98  # of the elapsed time, as on a machine fifty times slower than an idle one
_NOTING_SECONDS = 0.04
POLL_SECONDS = 0.25
"""The longest interval between two readings of a clock, in seconds."""
_LATE_SECONDS = POLL_SECONDS + 0.1
"""After a longer interval the reader itself was kept waiting, and knows nothing about the time between."""
_MIN_AWAKE_SHARE = 0.25
_NANOSECONDS = 1_000_000_000
_LOST = struct.Struct("d")
_PROCESSORS = os.cpu_count() or 1


class TaskAccount(NamedTuple):
    """The kernel's statistics on a task, in seconds: it ran, and it waited for a processor."""

    ran: float
    waited: float

    def since(self, before: TaskAccount) -> TaskAccount:
        """The difference from an earlier account."""
        return TaskAccount(max(0.0, self.ran - before.ran), max(0.0, self.waited - before.waited))


class WaitingClock:
    """A clock that pauses while processes wait for a processor."""

    def __init__(self, list_processes: Callable[[], list[int]]) -> None:
        self._list_processes = list_processes
        self.restart()

    def restart(self) -> None:
        """Forget all waiting time so far."""
        self._began = self._noted_at = monotonic()
        self._lost = 0.0
        self._accounts: dict[str, TaskAccount] = {}

    def lost_seconds(self) -> float:
        """How long the processes have waited since the restart, in seconds."""
        now = monotonic()
        elapsed = now - self._noted_at
        if elapsed >= _NOTING_SECONDS:
            accounts = read_task_accounts(self._list_processes())
            self._lost += _lost_seconds(self._accounts, accounts, elapsed)
            self._noted_at, self._accounts = now, accounts
        return min(self._lost, (now - self._began) * _MAX_LOST_SHARE, MAX_LOST_SECONDS)

    def now(self) -> float:
        """The time in seconds; only differences mean anything."""
        return monotonic() - self.lost_seconds()


class RunClock:
    """The clock of a host's runs, which they can read."""

    def __init__(self, folder: str) -> None:
        self._descriptor, path = tempfile.mkstemp(dir=folder)
        os.write(self._descriptor, _LOST.pack(0.0))
        reader = os.open(path, os.O_RDONLY)  # so that the mapping can't be made writable
        self._page = mmap.mmap(reader, _LOST.size, prot=mmap.PROT_READ)
        os.close(reader)
        os.unlink(path)
        self._clock = WaitingClock(reaper.list_descendants)
        self.begin_run()

    def now(self) -> float:
        """The time in seconds; only differences mean anything."""
        return monotonic() - self._read_lost()

    def _read_lost(self) -> float:
        lost_seconds: float = _LOST.unpack_from(self._page)[0]
        return lost_seconds

    def begin_run(self) -> None:
        """Start counting the waiting time of the next run."""
        self._lost_before = self._read_lost()
        self._clock.restart()

    def note_waiting(self) -> None:
        """Publish how long the run has waited. Called by the host."""
        lost_seconds = self._lost_before + self._clock.lost_seconds()
        if lost_seconds != self._read_lost():
            os.pwrite(self._descriptor, _LOST.pack(lost_seconds), 0)


def _lost_seconds(before: dict[str, TaskAccount], after: dict[str, TaskAccount], elapsed: float) -> float:
    """How much of the elapsed time tasks lost by waiting for a processor that others used.

    Tasks that have ended are assumed to have waited as much as the others. If hardly any task was awake, only the
    longest wait of a single task counts. Tasks that kept all processors busy themselves, such as a hundred busy
    threads, waited for each other.
    """
    none = TaskAccount(0.0, 0.0)
    changes = [account.since(before.get(task, none)) for task, account in after.items()]
    waited = sum(change.waited for change in changes)
    ran = sum(change.ran for change in changes)
    if waited + ran >= elapsed * _MIN_AWAKE_SHARE:
        others_share = max(0.0, 1.0 - ran / (elapsed * _PROCESSORS)) if ran > elapsed else 1.0
        lost_seconds = elapsed * waited / (waited + ran) * others_share
    else:
        lost_seconds = max((change.waited for change in changes), default=0.0)
    # If this process was stopped together with them, the only sign of that is that it is late.
    return max(lost_seconds, elapsed - _LATE_SECONDS - ran if elapsed > _LATE_SECONDS else 0.0)


def read_task_accounts(pids: list[int]) -> dict[str, TaskAccount]:
    """How long each thread of some processes ran, and how long it waited for a processor."""
    accounts: dict[str, TaskAccount] = {}
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                # "123456789 456789123 42": time run, time waited, number of time slices
                with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                    fields = file.read().split()
                accounts[thread] = TaskAccount(int(fields[0]) / _NANOSECONDS, int(fields[1]) / _NANOSECONDS)
    return accounts
