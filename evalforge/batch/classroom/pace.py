"""How long the rest of a class will take."""

from collections import deque

_LAST = 24


class Pace:
    """Tells the time left from how long the last rows took.

    Args:
        workers: How many judge at once.
    """

    def __init__(self, workers: int) -> None:
        self._workers = max(1, workers)
        self._seconds: deque[float] = deque(maxlen=_LAST)

    def took(self, seconds: float) -> None:
        """Note how long one row took its worker."""
        self._seconds.append(seconds)

    def left(self, rows: int) -> float | None:
        """Seconds until this many rows are judged; None as long as nothing is known."""
        if rows == 0:
            return 0.0
        if not self._seconds:
            return None
        mean = sum(self._seconds) / len(self._seconds)
        return mean * rows / min(self._workers, rows)


def spoken(seconds: float | None) -> str:
    """A time left as one says it; empty if it isn't known."""
    if seconds is None:
        return ""
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} s left"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min left"
    return f"about {seconds / 3600:.1f} h left"
