"""Retries and a circuit breaker."""

import random
import time


class OracleError(Exception):
    """Base error."""

    def __init__(self, message, attempts=0, errors=()):
        super().__init__(message)
        self.attempts = attempts
        self.errors = tuple(errors)


class RetriesExhaustedError(OracleError):
    """No attempts left."""


class DeadlineError(OracleError):
    """No time left."""


class CircuitOpenError(OracleError):
    """Breaker is open."""

    retry_after = 0


class Caller:
    """Calls a service until it answers."""

    def __init__(self, service, *, attempts=4, base=0.1, cap=10.0, jitter=0.5,
                 retryable=(ConnectionError, TimeoutError), deadline=None, breaker=None,
                 clock=time.monotonic, sleep=time.sleep, random=random.random):
        if not callable(service):
            raise TypeError("service is not callable")
        if attempts < 1 or base <= 0 or cap <= 0 or jitter < 0 or jitter > 1:
            raise ValueError("bad settings")
        if deadline is not None and deadline <= 0:
            raise ValueError("bad deadline")
        self._service = service
        self._max = attempts
        self._base = base
        self._cap = cap
        self._jitter = jitter
        self._retryable = retryable
        self._deadline = deadline
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep
        self._random = random
        self._errors = []

    def call(self, *args, **kwargs):
        """Call the service and return its answer."""
        started = self._clock()
        n = 0
        while True:
            n += 1
            try:
                if self._breaker is not None:
                    answer = self._breaker.call(self._service, *args, **kwargs)
                else:
                    answer = self._service(*args, **kwargs)
                self._errors = []
                return answer
            except CircuitOpenError as refused:
                error = CircuitOpenError("circuit open", len(self._errors), self._errors)
                error.retry_after = refused.retry_after
                if self._errors:
                    raise error from self._errors[-1]
                raise error from None
            except self._retryable as e:
                self._errors.append(e)
                if n == self._max:
                    raise RetriesExhaustedError("giving up", len(self._errors), self._errors) from e
                if self._breaker is not None and self._breaker.state == "open":
                    error = CircuitOpenError("circuit open", len(self._errors), self._errors)
                    error.retry_after = self._breaker._opened_at + self._breaker._cooldown - self._clock()
                    raise error from e
                limit = self._cap
                if n < 1000:
                    limit = min(self._cap, self._base * 2 ** (n - 1))
                pause = limit * (1 - self._jitter * self._random())
                if getattr(e, "retry_after", None) is not None:
                    pause = max(pause, e.retry_after)
                if self._deadline is not None and self._clock() - started + pause >= self._deadline:
                    raise DeadlineError("too late", len(self._errors), self._errors) from e
                self._sleep(pause)


class Breaker:
    """Opens after a number of failures."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        if threshold < 1 or cooldown <= 0:
            raise ValueError("bad settings")
        self._threshold = threshold
        self._cooldown = cooldown
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._state = "closed"
        self._count = 0
        self._opened_at = None

    def _set(self, state):
        old = self._state
        self._state = state
        if self._on_change is not None and old != state:
            self._on_change(old, state)

    @property
    def state(self):
        """The state."""
        if self._state == "open" and self._clock() >= self._opened_at + self._cooldown:
            self._set("half-open")
        return self._state

    def call(self, function, *args, **kwargs):
        """Call function if the breaker allows it."""
        if self.state == "open":
            error = CircuitOpenError("circuit open")
            error.retry_after = self._opened_at + self._cooldown - self._clock()
            raise error
        try:
            answer = function(*args, **kwargs)
        except Exception as e:
            if isinstance(e, self._counts):
                self._count += 1
                if self._state == "half-open" or self._count >= self._threshold:
                    self._opened_at = self._clock()
                    self._set("open")
            else:
                self._count = 0
                self._set("closed")
            raise
        self._count = 0
        self._set("closed")
        return answer
