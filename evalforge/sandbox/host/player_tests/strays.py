"""Kills processes that a run of tests left behind, however it tried to hide them."""

from __future__ import annotations

import os
import signal
import stat
import sys
import threading
import time
from collections.abc import Collection

from runs.run_clock import RunClock

SHARED_MEMORY = "/dev/shm"  # noqa: S108 - private in its own namespace
_OWNER_ONLY = 0o700
_MAX_PASSES = 50
_DYING_SECONDS = 0.5
_PAUSE_SECONDS = 0.0005
_MAX_ID, _MAX_BIG_ID = 32_768, 4_194_304


class StrayKiller:
    """Kills all processes started since its last call, except those to spare.

    A process that left its group and lost its parents can only be found by its id. Ids are assigned in ascending order,
    so few are new since the last call. It does nothing if a signal could reach processes outside the sandbox.
    """

    def __init__(self, clock: RunClock) -> None:
        self._clock = clock
        self._is_safe = _reaches_only_the_cage()
        self._newest_id = _newest_process_id() if self._is_safe else 0

    def kill_strays(self, spared_ids: Collection[int]) -> bool:
        """Kill the new processes; False if more keep appearing."""
        has_killed = False
        for _ in range(_MAX_PASSES if self._is_safe else 0):
            last_id, self._newest_id = self._newest_id, _newest_process_id()
            # In ascending order: a child being forked has a higher id than its parent, and so never gets to run.
            ids = [number for number in _ids_between(last_id, self._newest_id) if number not in spared_ids]
            killed = [number for number in ids if _signal(number, signal.SIGKILL)]
            self._wait_for_end(killed)
            has_killed = bool(killed)
            if not ids:  # one that ended by itself in the meantime may have left another
                break
        return not has_killed

    def _wait_for_end(self, process_ids: list[int]) -> None:
        """Wait until killed processes are gone, because one may finish writing a file before it dies.

        A process that nobody reaps stays until the time limit.
        """
        deadline = self._clock.now() + _DYING_SECONDS
        while any(_signal(number, 0) for number in process_ids) and self._clock.now() < deadline:
            time.sleep(_PAUSE_SECONDS)


def _ids_between(last_id: int, newest_id: int) -> list[int]:
    if newest_id > last_id:
        return [*range(last_id + 1, newest_id)]
    return [*range(last_id + 1, _MAX_ID if last_id < _MAX_ID else _MAX_BIG_ID), *range(2, newest_id)]


def _signal(process_id: int, number: int) -> bool:
    """Send a signal; returns whether the process exists."""
    try:
        os.kill(process_id, number)
    except OSError:
        return False
    return True


def is_private(folder: str) -> bool:
    """Whether a folder is this run's own, as the sandbox mounts it, rather than the machine's."""
    try:
        return stat.S_IMODE(os.stat(folder).st_mode) == _OWNER_ONLY
    except OSError:
        return False


def _reaches_only_the_cage() -> bool:
    """Whether signals can't reach processes outside, because they are refused or invisible."""
    parent_id = os.getppid()
    try:
        os.kill(parent_id, 0)
    except PermissionError:
        pass
    except OSError:
        return False
    else:
        return parent_id == 1 and is_private(SHARED_MEMORY)
    return sys.platform == "linux"


def _newest_process_id() -> int:
    """The id that a thread started now gets; threads and processes share one sequence."""
    ids: list[int] = []
    thread = threading.Thread(target=lambda: ids.append(threading.get_native_id()))
    thread.start()
    thread.join()
    return ids[0]
