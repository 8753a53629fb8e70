"""Caller and Breaker for a service that is not always in."""

import random
import time


class OracleError(Exception):
    """Base error: attempts and errors of the call."""

    def __init__(self, message="", attempts=0, errors=()):
        super().__init__(message)
        self.attempts = attempts
        self.errors = tuple(errors)


class RetriesExhaustedError(OracleError):
    """No attempts left."""


class DeadlineError(OracleError):
    """No time left."""


class CircuitOpenError(OracleError):
    """The breaker refuses."""

    def __init__(self, message="", attempts=0, errors=(), retry_after=0):
        super().__init__(message, attempts, errors)
        self.retry_after = retry_after


class Caller:
    """Repeats calls of a service."""

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
        if not callable(service):
            raise TypeError("service must be callable")
        if attempts < 1:
            raise ValueError("attempts must be at least 1")
        if base <= 0 or cap <= 0:
            raise ValueError("base and cap must be above 0")
        if jitter < 0 or jitter > 1:
            raise ValueError("jitter must be from 0 to 1")
        if deadline is not None and deadline <= 0:
            raise ValueError("deadline must be above 0")
        self.service = service
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.jitter = jitter
        self.retryable = retryable
        self.deadline = deadline
        self.breaker = breaker
        self.clock = clock
        self.sleep = sleep
        self.random = random

    def call(self, *args, **kwargs):
        """Ask until there is an answer or no point in asking."""
        start = self.clock()
        errors = []
        for n in range(1, self.attempts + 1):
            try:
                if self.breaker is not None:
                    return self.breaker.call(self.service, *args, **kwargs)
                return self.service(*args, **kwargs)
            except CircuitOpenError as refusal:
                last = errors[-1] if errors else None
                raise CircuitOpenError("breaker is open", n - 1, errors, refusal.retry_after) from last
            except self.retryable as error:
                errors.append(error)
            last = errors[-1]
            if n == self.attempts:
                raise RetriesExhaustedError(f"{n} attempts failed", n, errors) from last
            if self.breaker is not None and self.breaker.state == "open":
                raise CircuitOpenError("breaker has opened", n, errors, self.breaker.remaining()) from last
            pause = min(self.cap, self.base * 2.0 ** (n - 1)) * (1 - self.jitter * self.random())
            if getattr(last, "retry_after", None) is not None:
                pause = max(pause, last.retry_after)
            if self.deadline is not None and self.clock() + pause >= start + self.deadline:
                raise DeadlineError("the pause would end too late", n, errors) from last
            self.sleep(pause)
            if self.deadline is not None and self.clock() >= start + self.deadline:
                raise DeadlineError("the pause ended too late", n, errors) from last


class Breaker:
    """Opens after failures in a row."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        if threshold < 1:
            raise ValueError("threshold must be at least 1")
        if cooldown <= 0:
            raise ValueError("cooldown must be above 0")
        self.threshold = threshold
        self.cooldown = cooldown
        self.counts = counts
        self.on_change = on_change
        self.clock = clock
        self._state = "closed"
        self._failures = 0
        self._opened = 0

    def remaining(self):
        """Seconds until half-open."""
        if self._state != "open":
            return 0
        return max(0, self._opened + self.cooldown - self.clock())

    @property
    def state(self):
        """The state at this moment."""
        if self._state == "open" and self.clock() >= self._opened + self.cooldown:
            self._move("half-open")
        return self._state

    def call(self, function, *args, **kwargs):
        """Call the function, or refuse."""
        if self.state == "open":
            raise CircuitOpenError("breaker is open", retry_after=self.remaining())
        try:
            result = function(*args, **kwargs)
        except self.counts:
            self._failures += 1
            if self._state == "half-open" or self._failures >= self.threshold:
                self._opened = self.clock()
                self._failures = 0
                self._move("open")
            raise
        except Exception:
            self._success()
            raise
        self._success()
        return result

    def _success(self):
        self._failures = 0
        if self._state == "half-open":
            self._move("closed")

    def _move(self, new):
        old = self._state
        self._state = new
        if self.on_change:
            self.on_change(old, new)
