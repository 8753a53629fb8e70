"""The breaker."""

import time

from .errors import CircuitOpenError
from .settings import above_zero, at_least

CLOSED, OPEN, HALF_OPEN = "closed", "open", "half-open"


class Breaker:
    """Opens after failures in a row, and lets one call look again after the cooldown."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        self._threshold = at_least("threshold", threshold, 1)
        self._cooldown = above_zero("cooldown", cooldown)
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._state = CLOSED
        self._era = 0
        self._failures = 0
        self._opened = 0
        self._probing = False

    @property
    def state(self):
        """One of "closed", "open", "half-open"."""
        if self._state == OPEN and self._rest() <= 0:
            self._move(HALF_OPEN)
        return self._state

    def call(self, function, *args, **kwargs):
        """The answer or the error of function, or CircuitOpenError without asking it."""
        state = self.state
        if state == OPEN or (state == HALF_OPEN and self._probing):
            raise CircuitOpenError("the breaker is open", retry_after=max(0, self._rest()))
        self._probing = state == HALF_OPEN
        era = self._era
        try:
            answer = function(*args, **kwargs)
        except Exception as error:
            self._note(era, not isinstance(error, self._counts))
            raise
        except BaseException:
            if era == self._era:
                self._probing = False
            raise
        self._note(era, True)
        return answer

    def _rest(self):
        """Seconds until the breaker is half-open."""
        return self._opened + self._cooldown - self._clock()

    def _note(self, era, good):
        """A call has ended; it counts if it belongs to the present era."""
        if era != self._era:
            return
        if good:
            self._failures = 0
            if self._state == HALF_OPEN:
                self._move(CLOSED)
            return
        self._failures += 1
        if self._state == HALF_OPEN or self._failures >= self._threshold:
            self._opened = self._clock()
            self._move(OPEN)

    def _move(self, new):
        """The only way from one state to another."""
        old, self._state = self._state, new
        self._era += 1
        self._failures = 0
        self._probing = False
        if self._on_change is not None:
            self._on_change(old, new)
