"""Estimates the remaining time of a class run."""

from collections import deque

_ROWS_AVERAGED = 24
"""The number of latest rows whose time is averaged."""


class TimeLeft:
    """Estimates the time left from the time of the latest rows.

    Args:
        worker_count: How many rows are judged at once.
    """

    def __init__(self, worker_count: int) -> None:
        self._worker_count = max(1, worker_count)
        self._seconds: deque[float] = deque(maxlen=_ROWS_AVERAGED)

    def add_row(self, seconds: float) -> None:
        """Add the time one row took."""
        self._seconds.append(seconds)

    def seconds_for(self, row_count: int) -> float | None:
        """The seconds until this many more rows are judged; None before the first row."""
        if row_count == 0:
            return 0.0
        if not self._seconds:
            return None
        mean = sum(self._seconds) / len(self._seconds)
        return mean * row_count / min(self._worker_count, row_count)


def format_time_left(seconds: float | None) -> str:
    """Format a time left, such as ``about 3 min left``; empty for None."""
    if seconds is None:
        return ""
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} s left"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min left"
    return f"about {seconds / 3600:.1f} h left"
