"""A time limit for a whole trial: the limit of each call doesn't end a trial that makes calls without end."""

import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from evalforge.evidence.machine_load import has_passed

TRIAL_TIME_FACTOR = 5
"""A trial may take this many times its limit in all."""
TOO_BUSY = "The machine is too busy with other work to finish the trials. Try again later."
_GRACE_SECONDS = 3.0
_REPEAT_SECONDS = 1.0


class OverlongError(BaseException):
    """A trial took too long in all. Not an ``Exception``: nothing in a trial may swallow it."""


@contextmanager
def time_limited(seconds: float) -> Generator[None]:
    """Raise ``OverlongError`` in the block if it takes longer than a whole trial may.

    The host ends the player's process in time; this limit is for what its answers may do in this process.
    Only the main thread gets signals: in another thread nothing is limited.

    Args:
        seconds: The limit of one call.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    is_over = False
    max_seconds = seconds * TRIAL_TIME_FACTOR + _GRACE_SECONDS
    started_at = time.monotonic()

    def raise_overlong(number: int, frame: FrameType | None) -> None:
        # On a busy machine the alarm goes off again later.
        if not is_over and has_passed(started_at, max_seconds):
            raise OverlongError(f"took more than {seconds * TRIAL_TIME_FACTOR:.1f} s in all")

    before = signal.signal(signal.SIGALRM, raise_overlong)
    signal.setitimer(signal.ITIMER_REAL, max_seconds, _REPEAT_SECONDS)
    try:
        try:
            yield
        finally:
            is_over = True  # an alarm just before this still runs what follows; none can interrupt that
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
