"""The breaker: three states, and a token for the probe."""

import time

from oracle.errors import CircuitOpenError
from oracle.timing import positive

CLOSED, OPEN, HALF_OPEN = "closed", "open", "half-open"


class Breaker:
    """Keeps calls away from a service that has failed too often in a row."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        if threshold < 1:
            raise ValueError("threshold must be at least 1")
        positive(cooldown=cooldown)
        self._threshold = threshold
        self._cooldown = cooldown
        self._counts = counts
        self._on_change = on_change or (lambda old, new: None)
        self._clock = clock
        self._state = CLOSED
        self._failures = 0
        self._until = 0.0
        self._token_taken = False

    @property
    def state(self):
        """closed, open or half-open."""
        if self._state == OPEN and self._clock() >= self._until:
            self._become(HALF_OPEN)
        return self._state

    def refusal(self, errors=()):
        """The error for a call that is kept away now."""
        left = self._until - self._clock() if self.state == OPEN else 0
        return CircuitOpenError(left, errors)

    def call(self, function, *args, **kwargs):
        """Call a function if the state allows it."""
        if self.state == OPEN or self._token_taken:
            raise self.refusal()
        probing = self._token_taken = self._state == HALF_OPEN
        try:
            answer = function(*args, **kwargs)
        except Exception as error:
            if isinstance(error, self._counts):
                self._failed()
            else:
                self._succeeded()
            raise
        else:
            self._succeeded()
            return answer
        finally:
            if probing:
                self._token_taken = False

    def _succeeded(self):
        self._failures = 0
        if self._state != CLOSED:
            self._become(CLOSED)

    def _failed(self):
        self._failures += 1
        if self._state == HALF_OPEN or self._failures >= self._threshold:
            self._failures = 0
            self._until = self._clock() + self._cooldown
            self._become(OPEN)

    def _become(self, state):
        old, self._state = self._state, state
        if old != state:
            self._on_change(old, state)
