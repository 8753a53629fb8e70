"""How long to wait before asking again, and until when there is time for it."""


def limits(base, cap):
    """The longest pause after each failed attempt: base, doubled each time, up to the cap."""
    limit = base
    while limit < cap:
        yield limit
        limit *= 2
    while True:
        yield cap


def pause_after(error, limit, jitter, random):
    """The limit, less what jitter takes away; as long as the error asks for, if that is longer."""
    pause = limit * (1 - jitter * random())
    wish = getattr(error, "retry_after", None)
    return pause if wish is None or wish < pause else wish


class Deadline:
    """A moment that counts from now, or that never comes."""

    def __init__(self, seconds, clock):
        self._clock = clock
        self._moment = None if seconds is None else clock() + seconds

    def comes_within(self, seconds):
        """Whether so many seconds from now it is too late."""
        return self._moment is not None and self._clock() + seconds >= self._moment
