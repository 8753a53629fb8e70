"""Asking a service that is not always in."""

import random
import time


class OracleError(Exception):
    """The base of all errors of this module."""


class RetriesExhaustedError(OracleError):
    """Raised when there are no attempts left."""


class DeadlineError(OracleError):
    """Raised when there is no time left."""


class CircuitOpenError(OracleError):
    """Raised when the breaker is open."""


class Caller:
    """Asks a service on your behalf."""

    def __init__(
        self,
        service,
        *,
        attempts=4,
        base=0.1,
        cap=10.0,
        jitter=0.5,
        retryable=(ConnectionError, TimeoutError),
        deadline=None,
        breaker=None,
        clock=time.monotonic,
        sleep=time.sleep,
        random=random.random,
    ):
        """Remember the settings."""
        # TODO: refuse bad settings
        self._service = service
        self._attempts = attempts
        self._base = base
        self._cap = cap
        self._jitter = jitter
        self._retryable = retryable
        self._deadline = deadline
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep
        self._random = random

    def pause(self, n):
        """Compute the pause after attempt n (from 0)."""
        pause = min(self._cap, self._base * 2**n)
        # a bit up or down
        return pause + pause * self._jitter * (2 * self._random() - 1)

    def call(self, *args, **kwargs):
        """Ask the service."""
        last = None
        for n in range(self._attempts + 1):
            try:
                if self._breaker:
                    return self._breaker.call(self._service, *args, **kwargs)
                return self._service(*args, **kwargs)
            except self._retryable as error:
                last = error
                # TODO: deadline, retry_after
                self._sleep(self.pause(n))
        raise last


class Breaker:
    """Keeps everybody away when nobody is in."""

    _failures = []

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        """Remember the settings."""
        self._threshold = threshold
        self._cooldown = cooldown
        self._counts = counts
        self._on_change = on_change
        self._clock = clock

    @property
    def state(self):
        """The state."""
        if len(self._failures) > self._threshold:
            return "open"
        return "closed"

    def call(self, function, *args, **kwargs):
        """Call the function."""
        if self.state == "open":
            # TODO: half-open
            raise CircuitOpenError("open")
        try:
            return function(*args, **kwargs)
        except self._counts as error:
            self._failures.append(error)
            raise
