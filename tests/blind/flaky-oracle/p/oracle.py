"""Retries with growing pauses, and a circuit breaker."""

import random as _random
import time

CLOSED = "closed"
OPEN = "open"
HALF_OPEN = "half-open"


class OracleError(Exception):
    """Base of all errors of this module.

    attempts -- how many attempts of the call reached the service
    errors -- what they raised, in order
    """

    def __init__(self, message, errors=(), attempts=0):
        super().__init__(message)
        self.errors = tuple(errors)
        self.attempts = attempts
        self.__cause__ = self.errors[-1] if self.errors else None


class RetriesExhaustedError(OracleError):
    """All attempts have failed."""


class DeadlineError(OracleError):
    """There is no time for another attempt."""


class CircuitOpenError(OracleError):
    """The breaker refuses; retry_after says how long it will."""

    def __init__(self, message, retry_after, errors=(), attempts=0):
        super().__init__(message, errors, attempts)
        self.retry_after = retry_after


def require(condition, message):
    """Raise ValueError with the message unless the condition holds."""
    if not condition:
        raise ValueError(message)


def compute_pause(failed, error, base, cap, jitter, chance):
    """The pause after the failed-th failed attempt, for a chance between 0 and 1."""
    limit = base
    for _ in range(failed - 1):
        if limit >= cap:
            break
        limit *= 2
    pause = min(cap, limit) * (1 - jitter * chance)
    retry_after = getattr(error, "retry_after", None)
    if retry_after is not None:
        pause = max(pause, retry_after)
    return pause


class Caller:
    """Calls a service again and again until it answers or there is no point any more."""

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
        random=_random.random,
    ):
        """Check the settings and keep them."""
        if not callable(service):
            raise TypeError("service can't be called")
        require(attempts >= 1, "attempts must be at least 1")
        require(base > 0, "base must be above 0")
        require(cap > 0, "cap must be above 0")
        require(0 <= jitter <= 1, "jitter must be between 0 and 1")
        require(deadline is None or deadline > 0, "deadline must be above 0")
        self._service = service
        self._attempts = attempts
        self._base, self._cap, self._jitter = base, cap, jitter
        self._retryable = retryable
        self._deadline = deadline
        self._breaker = breaker
        self._clock, self._sleep, self._random = clock, sleep, random

    def call(self, *args, **kwargs):
        """The answer of the service."""
        end = None if self._deadline is None else self._clock() + self._deadline
        errors = []
        while True:
            try:
                return self._attempt(errors, args, kwargs)
            except CircuitOpenError:
                raise
            except self._retryable as error:
                errors.append(error)
            self._wait(errors, end)

    def _attempt(self, errors, args, kwargs):
        if self._breaker is None:
            return self._service(*args, **kwargs)
        try:
            return self._breaker.call(self._service, *args, **kwargs)
        except CircuitOpenError as refusal:
            raise self._circuit_open(errors, refusal.retry_after) from (errors[-1] if errors else None)

    def _wait(self, errors, end):
        """Sleep before the next attempt, or raise the reason why there is none."""
        count = len(errors)
        if count == self._attempts:
            raise RetriesExhaustedError(f"gave up after {count} attempts", errors, count)
        if self._breaker is not None and self._breaker.state == OPEN:
            raise self._circuit_open(errors, self._breaker.retry_after)
        pause = compute_pause(count, errors[-1], self._base, self._cap, self._jitter, self._random())
        if end is not None and self._clock() + pause >= end:
            raise DeadlineError(f"no time for a pause of {pause} s", errors, count)
        self._sleep(pause)
        if end is not None and self._clock() >= end:
            raise DeadlineError("the pause took too long", errors, count)

    @staticmethod
    def _circuit_open(errors, retry_after):
        return CircuitOpenError("the circuit is open", retry_after, errors, len(errors))


class Breaker:
    """Keeps calls away from a service that fails."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        """A closed breaker."""
        require(threshold >= 1, "threshold must be at least 1")
        require(cooldown > 0, "cooldown must be above 0")
        self._threshold = threshold
        self._cooldown = cooldown
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._state = CLOSED
        self._failures = 0
        self._opened_at = None
        self._probing = False

    @property
    def state(self):
        """closed, open or half-open."""
        if self._state == OPEN and self.retry_after == 0:
            self._change(HALF_OPEN)
        return self._state

    @property
    def retry_after(self):
        """Seconds until calls are let through again."""
        if self._state != OPEN:
            return 0
        return max(0, self._opened_at + self._cooldown - self._clock())

    def call(self, function, *args, **kwargs):
        """Call the function, unless calls are refused at the moment."""
        began = self.state
        if began == OPEN or self._probing:
            raise CircuitOpenError("the circuit is open", self.retry_after)
        self._probing = began == HALF_OPEN
        try:
            answer = function(*args, **kwargs)
        except Exception as error:
            self._settle(began, isinstance(error, self._counts))
            raise
        except BaseException:
            if began == HALF_OPEN:
                self._probing = False
            raise
        self._settle(began, False)
        return answer

    def _settle(self, began, failed):
        if began != self.state:
            return
        if not failed:
            self._failures = 0
            if began == HALF_OPEN:
                self._change(CLOSED)
            return
        self._failures += 1
        if began == HALF_OPEN or self._failures >= self._threshold:
            self._opened_at = self._clock()
            self._change(OPEN)

    def _change(self, new):
        old, self._state = self._state, new
        self._probing = False
        self._failures = 0
        if self._on_change is not None:
            self._on_change(old, new)
