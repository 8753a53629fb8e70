"""The memory of a process and all below it, sampled while something runs. Linux only."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from tests.processes import below

_PAUSE_SECONDS = 0.01


def peak_bytes(work: Callable[[], object]) -> int:
    """The most that this process and all below it took at once, in proportional set size (shared pages divided).

    Between two samples, 10 ms apart, a short-lived peak can be missed; processes that can't be looked at count nothing.
    """
    most = 0
    done = threading.Event()

    def sample() -> None:
        nonlocal most
        while not done.wait(_PAUSE_SECONDS):
            most = max(most, sum(map(proportional, tree(os.getpid()))))

    sampler = threading.Thread(target=sample)
    sampler.start()
    try:
        work()
    finally:
        done.set()
        sampler.join()
    return most


def tree(root: int) -> list[int]:
    """A process and all below it."""
    return [root, *below(root)]


def proportional(pid: int) -> int:
    """The proportional set size of a process in bytes; 0 where it can't be read."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)
