"""Pauses and deadlines, and settings that must be positive."""

import itertools


def limits(base, cap):
    """The longest pauses, one after the other: doubled each time until they reach the cap."""
    limit = base
    while limit < cap:
        yield limit
        limit *= 2
    yield from itertools.repeat(cap)


def shortened(limit, jitter, roll):
    """A pause after chance has taken its share."""
    return limit * (1 - jitter * roll)


def positive(**settings):
    """Refuse settings that are not above zero; NaN isn't, either."""
    for name, value in settings.items():
        if not value > 0:
            raise ValueError(f"{name} must be above zero")


class Deadline:
    """A moment on a clock, or never."""

    def __init__(self, seconds, clock):
        self._clock = clock
        self._at = None if seconds is None else clock() + seconds

    def reached(self, ahead=0):
        """Whether it will be reached so many seconds from now."""
        return self._at is not None and self._clock() + ahead >= self._at
