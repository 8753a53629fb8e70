"""A time limit for a whole trial, because the limit of each call doesn't end a trial that makes endless calls."""

import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from evalforge.evidence.machine_load import has_passed

TRIAL_TIME_FACTOR = 5
"""A whole trial may take this many times the limit of one call."""
TOO_BUSY = "The machine is too busy with other work to finish the trials. Try again later."
_GRACE_SECONDS = 3.0
_REPEAT_SECONDS = 1.0


class OverlongError(BaseException):
    """A trial took too long. This isn't an ``Exception``, so that nothing in a trial can swallow it."""


@contextmanager
def time_limited(seconds: float) -> Generator[None]:
    """Raise ``OverlongError`` in the block if it exceeds the limit of a whole trial.

    The host ends the player's process in time; this limit is for what its results may cause in this process. Only the
    main thread gets signals, so nothing is limited in other threads.

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
        # On a busy machine the alarm is set again for later.
        if not is_over and has_passed(started_at, max_seconds):
            raise OverlongError(f"took more than {seconds * TRIAL_TIME_FACTOR:.1f} s in all")

    before = signal.signal(signal.SIGALRM, raise_overlong)
    signal.setitimer(signal.ITIMER_REAL, max_seconds, _REPEAT_SECONDS)
    try:
        try:
            yield
        finally:
            is_over = True  # an alarm just before this still runs the following lines; none can interrupt them
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
