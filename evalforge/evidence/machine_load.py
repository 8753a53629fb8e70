"""The load of the machine by the kernel's statistics, so that waiting time is not counted against tests."""

import time
from pathlib import Path

PROCESS_FOLDER = Path("/proc")
MAX_SLOWDOWN = 50.0
_MIN_RUN_NANOSECONDS = 5_000_000
"""A process that has run for less time than this has no meaningful slowdown yet."""


def slowdown(process_id: int | None = None) -> float:
    """How many times longer than on an idle machine a process has taken for its work so far.

    A process that ran for 0.1 s and waited for a processor for 0.3 s has a slowdown of 4. It is 1 on an idle machine,
    and without statistics (``/proc/PID/schedstat`` is Linux only). It is capped at 50, beyond which waiting isn't worth
    it.

    Args:
        process_id: The process; this one if None.
    """
    try:
        fields = (PROCESS_FOLDER / str(process_id or "self") / "schedstat").read_text().split()
        ran, waited = int(fields[0]), int(fields[1])
    except (OSError, ValueError, IndexError):
        return 1.0
    return min(MAX_SLOWDOWN, (ran + waited) / ran) if ran >= _MIN_RUN_NANOSECONDS else 1.0


def has_passed(started_at: float, seconds: float) -> bool:
    """Whether enough time has passed for work that takes these seconds on an idle machine.

    Args:
        started_at: A ``time.monotonic`` value.
        seconds: The time on an idle machine.
    """
    return time.monotonic() - started_at >= seconds * slowdown()
