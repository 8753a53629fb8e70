"""Asking a service that is not always in: a caller that repeats itself, and a breaker that keeps callers away."""

import functools
import math
import random
import time

CLOSED = "closed"
OPEN = "open"
HALF_OPEN = "half-open"


class OracleError(Exception):
    """The base of all errors of this module: what was tried, and what came of it."""

    def __init__(self, message="", errors=()):
        """Remember the errors of the attempts that reached the service; the last of them is the cause."""
        super().__init__(message)
        self.errors = tuple(errors)
        self.attempts = len(self.errors)
        self.__cause__ = self.errors[-1] if self.errors else None


class RetriesExhaustedError(OracleError):
    """The last of the attempts has failed."""


class DeadlineError(OracleError):
    """There is no time left for another attempt."""


class CircuitOpenError(OracleError):
    """A breaker lets nobody through; retry_after says for how many seconds."""

    def __init__(self, retry_after=0, errors=()):
        """Remember when to come back."""
        super().__init__(f"refused by the breaker, come back in {retry_after} s", errors)
        self.retry_after = retry_after


def backoff_limit(n, base, cap):
    """Return min(cap, base * 2**(n-1)), for any n."""
    try:
        return min(cap, math.ldexp(base, n - 1))
    except OverflowError:
        return cap


def _check(holds, name, value):
    if not holds:
        raise ValueError(f"{name} can't be {value!r}")


class Caller:
    """Asks a service on your behalf: again where that makes sense, and no longer than there is time."""

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
        """Check the settings and remember them."""
        if not callable(service):
            raise TypeError(f"a service can be called, {service!r} can't")
        _check(attempts >= 1, "attempts", attempts)
        _check(base > 0, "base", base)
        _check(cap > 0, "cap", cap)
        _check(0 <= jitter <= 1, "jitter", jitter)
        _check(deadline is None or deadline > 0, "deadline", deadline)
        self._ask = service if breaker is None else functools.partial(breaker.call, service)
        self._attempts = attempts
        self._base = base
        self._cap = cap
        self._jitter = jitter
        self._retryable = retryable
        self._deadline = math.inf if deadline is None else deadline
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep
        self._random = random

    def call(self, *args, **kwargs):
        """Return the service's answer, or raise the error that says why there is none."""
        end = self._clock() + self._deadline
        errors = []
        while True:
            try:
                return self._ask(*args, **kwargs)
            except CircuitOpenError as refusal:
                raise CircuitOpenError(refusal.retry_after, errors)
            except self._retryable as error:
                errors.append(error)
            self._prepare_next(errors, end)

    def _prepare_next(self, errors, end):
        """Sleep until the next attempt may begin, or raise the reason why there is none."""
        if len(errors) == self._attempts:
            raise RetriesExhaustedError(f"gave up after {len(errors)} attempts", errors)
        if self._breaker is not None and self._breaker.state == OPEN:
            raise CircuitOpenError(self._breaker.retry_after(), errors)
        pause = self._pause(errors)
        if self._clock() + pause >= end:
            raise DeadlineError(f"no time left for a pause of {pause} s", errors)
        self._sleep(pause)
        if self._clock() >= end:
            raise DeadlineError("slept past the deadline", errors)

    def _pause(self, errors):
        pause = backoff_limit(len(errors), self._base, self._cap) * (1 - self._jitter * self._random())
        wanted = getattr(errors[-1], "retry_after", None)
        return pause if wanted is None else max(pause, wanted)


class Breaker:
    """Lets calls through until too many in a row have failed, then none for a while, then one to look."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        """Check the settings and begin closed."""
        _check(threshold >= 1, "threshold", threshold)
        _check(cooldown > 0, "cooldown", cooldown)
        self._threshold = threshold
        self._cooldown = cooldown
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._state = CLOSED
        self._era = 0
        self._failures = 0
        self._probing = False
        self._half_open_at = None

    @property
    def state(self):
        """One of "closed", "open" and "half-open"."""
        if self._state == OPEN and self._clock() >= self._half_open_at:
            self._move(HALF_OPEN)
        return self._state

    def retry_after(self):
        """Return the seconds until the breaker is half-open, 0 if it is not open."""
        return max(0, self._half_open_at - self._clock()) if self.state == OPEN else 0

    def call(self, function, *args, **kwargs):
        """Return or raise what the function does, unless the breaker refuses to call it."""
        state = self.state
        if state == OPEN or self._probing:
            raise CircuitOpenError(self.retry_after())
        era = self._era
        self._probing = state == HALF_OPEN
        try:
            answer = function(*args, **kwargs)
        except Exception as error:
            self._record(era, failed=isinstance(error, self._counts))
            raise
        except BaseException:
            self._probing = False
            raise
        self._record(era, failed=False)
        return answer

    def _record(self, era, failed):
        """Take note of how a call ended, if the state is still that in which it began."""
        if era != self._era:
            return
        self._failures = self._failures + 1 if failed else 0
        if failed and (self._state == HALF_OPEN or self._failures >= self._threshold):
            self._half_open_at = self._clock() + self._cooldown
            self._move(OPEN)
        elif not failed and self._state == HALF_OPEN:
            self._move(CLOSED)

    def _move(self, new):
        old, self._state = self._state, new
        self._era += 1
        self._failures = 0
        self._probing = False
        if self._on_change is not None:
            self._on_change(old, new)
