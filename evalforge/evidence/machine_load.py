"""How busy the machine is, by the kernel's own account: time that nobody gave to tests is not counted against them."""

import time
from pathlib import Path

_PROCESSES = Path("/proc")
MAX_SLOWDOWN = 50.0
_MIN_RUN_NANOSECONDS = 5_000_000
"""A process that has hardly run knows nothing yet."""


def slowdown(process_id: int | None = None) -> float:
    """How many times longer than on a free machine a process has taken for its work so far.

    A process that ran for 0.1 s and waited for a processor for 0.3 s has a slowdown of 4. It is 1 on a free machine,
    and where the kernel doesn't say (``/proc/PID/schedstat`` is Linux only); beyond 50 it is not worth waiting.

    Args:
        process_id: The process; this one if None.
    """
    try:
        words = (_PROCESSES / str(process_id or "self") / "schedstat").read_text().split()
        ran, waited = int(words[0]), int(words[1])
    except (OSError, ValueError, IndexError):
        return 1.0
    return min(MAX_SLOWDOWN, (ran + waited) / ran) if ran >= _MIN_RUN_NANOSECONDS else 1.0


def has_passed(started_at: float, seconds: float) -> bool:
    """Whether so much time has passed since then as a free machine would have taken these seconds for.

    Args:
        started_at: A ``time.monotonic`` value.
        seconds: The time on a free machine.
    """
    return time.monotonic() - started_at >= seconds * slowdown()
