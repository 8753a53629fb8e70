"""Retries and a circuit breaker."""
import random
import time


class OracleError(Exception):
    def __init__(self, attempts=0, errors=(), retry_after=None):
        Exception.__init__(self, f"no answer after {attempts} attempts")
        self.attempts = attempts
        self.errors = tuple(errors)
        self.retry_after = retry_after


class RetriesExhaustedError(OracleError):
    pass


class DeadlineError(OracleError):
    pass


class CircuitOpenError(OracleError):
    pass


class Breaker:
    """Circuit breaker."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        if threshold < 1:
            raise ValueError("threshold")
        if cooldown <= 0:
            raise ValueError("cooldown")
        self.threshold = threshold
        self.cooldown = cooldown
        self.counts = counts
        self.on_change = on_change
        self.clock = clock
        self._state = "closed"
        self.failures = 0
        self.opened_at = None
        self.probe = False

    def set_state(self, new):
        old = self._state
        self._state = new
        if self.on_change:
            self.on_change(old, new)

    @property
    def state(self):
        """Current state."""
        if self._state == "open" and self.clock() >= self.opened_at + self.cooldown:
            self.probe = False
            self.set_state("half-open")
        return self._state

    def call(self, function, *args, **kwargs):
        """Call function through the breaker."""
        state = self.state
        if state == "open":
            raise CircuitOpenError(retry_after=self.opened_at + self.cooldown - self.clock())
        if state == "half-open":
            if self.probe:
                raise CircuitOpenError(retry_after=0)
            self.probe = True
        try:
            result = function(*args, **kwargs)
        except Exception as e:
            if isinstance(e, self.counts):
                self.failures += 1
                if self._state == "half-open" or self.failures >= self.threshold:
                    self.opened_at = self.clock()
                    self.set_state("open")
            else:
                self.failures = 0
                if self._state == "half-open":
                    self.set_state("closed")
            raise
        self.failures = 0
        if self._state == "half-open":
            self.set_state("closed")
        return result


class Caller:
    """Calls a service with retries."""

    def __init__(self, service, *, attempts=4, base=0.1, cap=10.0, jitter=0.5,
                 retryable=(ConnectionError, TimeoutError), deadline=None, breaker=None,
                 clock=time.monotonic, sleep=time.sleep, random=random.random):
        if not callable(service):
            raise TypeError("service")
        if attempts < 1 or base <= 0 or cap <= 0 or not 0 <= jitter <= 1:
            raise ValueError("bad settings")
        if deadline is not None and deadline <= 0:
            raise ValueError("deadline")
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

    def pause(self, n):
        """Pause after the n-th failed attempt."""
        limit = min(self.cap, self.base * 2 ** (n - 1))
        return limit * (1 - self.jitter * self.random())

    def call(self, *args, **kwargs):
        """Call the service, again if necessary."""
        start = self.clock()
        errors = []
        for n in range(1, self.attempts + 1):
            try:
                if self.breaker:
                    return self.breaker.call(self.service, *args, **kwargs)
                return self.service(*args, **kwargs)
            except CircuitOpenError as e:
                raise CircuitOpenError(len(errors), errors, e.retry_after)
            except self.retryable as e:
                errors.append(e)
            if n == self.attempts:
                raise RetriesExhaustedError(len(errors), errors) from errors[-1]
            if self.breaker and self.breaker.state == "open":
                raise CircuitOpenError(len(errors), errors, self.breaker.cooldown) from errors[-1]
            pause = self.pause(n)
            after = getattr(errors[-1], "retry_after", None)
            if after is not None and after > pause:
                pause = after
            if self.deadline is not None and self.clock() + pause >= start + self.deadline:
                raise DeadlineError(len(errors), errors) from errors[-1]
            self.sleep(pause)
