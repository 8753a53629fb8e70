"""A bound on the whole of a trial: the limit of each call doesn't end a trial that makes calls without end."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

TIMES = 5
"""A trial may take this many times its limit in all."""
_GRACE = 3.0
_AGAIN = 1.0


class OverlongError(BaseException):
    """A trial took too long in all. Not an ``Exception``: nothing in a trial may swallow it."""


@contextmanager
def bounded(seconds: float) -> Generator[None]:
    """Raise ``OverlongError`` in the block if it takes longer than the whole of a trial may.

    The player's process is ended in time by its host; this is for what its answers do on this side of the border.
    Signals reach the main thread alone: in another one nothing is bounded.

    Args:
        seconds: The limit of one call.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    over = False

    def ring(number: int, frame: FrameType | None) -> None:
        if not over:
            raise OverlongError(f"took more than {seconds * TIMES:.1f} s in all")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds * TIMES + _GRACE, _AGAIN)
    try:
        try:
            yield
        finally:
            over = True  # a ring just before this leads to what follows; none can interrupt that
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
