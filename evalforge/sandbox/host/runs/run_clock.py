"""A clock that stands still while a run waits for a processor, so that no limit hangs on how busy the machine is.

The host winds it, outside the cage, where the kernel's account of each process can be read. Its runs can read it and
nothing else, so that it carries nothing from one to the next. Where the kernel keeps no such account (``/proc`` is
Linux only), it goes as any other.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import tempfile
from time import monotonic  # bound now: tests may replace it
from typing import NamedTuple

from . import reaper

MAX_LOST_SECONDS = 40.0
"""So much is made good in one run at most: code that starts a hundred busy threads keeps itself waiting."""
_MAX_LOST_SHARE = 0.875  # of all the time: on a machine that is eight times slower than a free one
_NOTING_SECONDS = 0.04
_MIN_AWAKE_SHARE = 0.25
_NANOSECONDS = 1_000_000_000
_LOST = struct.Struct("d")


class TaskAccount(NamedTuple):
    """The kernel's account of a task, in seconds: it ran, and it waited for a processor."""

    ran: float
    waited: float

    def since(self, before: TaskAccount) -> TaskAccount:
        """What was added to an earlier account."""
        return TaskAccount(max(0.0, self.ran - before.ran), max(0.0, self.waited - before.waited))


class RunClock:
    """The clock of a host's runs.

    Args:
        folder: A directory of the host's own.
    """

    def __init__(self, folder: str) -> None:
        self._descriptor, path = tempfile.mkstemp(dir=folder)
        os.write(self._descriptor, _LOST.pack(0.0))
        reader = os.open(path, os.O_RDONLY)  # what is mapped through it can't be made writable
        self._page = mmap.mmap(reader, _LOST.size, prot=mmap.PROT_READ)
        os.close(reader)
        os.unlink(path)
        self._lost_before = 0.0
        self.begin_run()

    def now(self) -> float:
        """The time in seconds; only differences mean anything."""
        lost: float = _LOST.unpack_from(self._page)[0]
        return monotonic() - lost

    def begin_run(self) -> None:
        """From here on it is the next run that waits."""
        (self._lost_before,) = _LOST.unpack_from(self._page)
        self._began = self._noted_at = monotonic()
        self._lost = 0.0
        self._accounts: dict[str, TaskAccount] = {}

    def note_waiting(self) -> None:
        """Note which share of the time since the last call the run has waited. For the host."""
        now = monotonic()
        elapsed = now - self._noted_at
        if elapsed < _NOTING_SECONDS:
            return
        accounts = _accounts_of_tasks(reaper.list_descendants())
        self._lost += elapsed * _waiting_share(self._accounts, accounts, elapsed)
        self._noted_at, self._accounts = now, accounts
        lost = min(self._lost, (now - self._began) * _MAX_LOST_SHARE, MAX_LOST_SECONDS)
        os.pwrite(self._descriptor, _LOST.pack(self._lost_before + lost), 0)


def _waiting_share(before: dict[str, TaskAccount], after: dict[str, TaskAccount], elapsed: float) -> float:
    """The share of some seconds that tasks waited for a processor.

    What those that are gone meanwhile did is not known; they fared as the others. Where hardly any of them was awake,
    that says nothing, and only what one of them is known to have waited is lost.
    """
    none = TaskAccount(0.0, 0.0)
    changes = [account.since(before.get(task, none)) for task, account in after.items()]
    waited = sum(change.waited for change in changes)
    awake = waited + sum(change.ran for change in changes)
    if awake >= elapsed * _MIN_AWAKE_SHARE:
        return waited / awake
    return max((change.waited for change in changes), default=0.0) / elapsed


def _accounts_of_tasks(pids: list[int]) -> dict[str, TaskAccount]:
    """How long each thread of some processes ran so far, and how long it waited for a processor."""
    accounts: dict[str, TaskAccount] = {}
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                # "123456789 456789123 42": it ran, it waited, how often
                with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                    words = file.read().split()
                accounts[thread] = TaskAccount(int(words[0]) / _NANOSECONDS, int(words[1]) / _NANOSECONDS)
    return accounts
