"""Retries with pauses and a deadline, and a circuit breaker."""

import random
import time


class OracleError(Exception):
    """Something kept the caller from an answer."""

    def __init__(self, message="", errors=()):
        """Keep the errors of the attempts."""
        super().__init__(message)
        self.errors = tuple(errors)
        self.attempts = len(self.errors)
        self.__cause__ = self.errors[-1] if self.errors else None


class RetriesExhaustedError(OracleError):
    """All attempts failed."""

    def __init__(self, errors):
        """Count the attempts in the message."""
        super().__init__(f"gave up after {len(errors)} attempts", errors)


class DeadlineError(OracleError):
    """There is no time for another attempt."""

    def __init__(self, errors):
        """Keep the errors."""
        super().__init__("the deadline leaves no time for another attempt", errors)


class CircuitOpenError(OracleError):
    """The breaker refuses calls for now."""

    def __init__(self, retry_after, errors=()):
        """Keep the seconds to wait."""
        super().__init__(f"the breaker refuses calls for {retry_after} more seconds", errors)
        self.retry_after = retry_after


def check(condition, message):
    """Refuse a setting."""
    if not condition:
        raise ValueError(message)


def pause_after(n, error, base, cap, jitter, draw):
    """Return the pause after the n-th failed attempt."""
    limit = base
    while n > 1 and limit < cap:
        limit *= 2
        n -= 1
    pause = min(limit, cap) * (1 - jitter * draw())
    wish = getattr(error, "retry_after", None)
    if wish is not None:
        pause = max(pause, wish)
    return pause


class Caller:
    """Asks a service until it answers or there is a reason to stop."""

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
        """Check and keep the settings."""
        if not callable(service):
            raise TypeError("service can't be called")
        check(attempts >= 1, "attempts must be at least 1")
        check(base > 0, "base must be above 0")
        check(cap > 0, "cap must be above 0")
        check(0 <= jitter <= 1, "jitter must be from 0 to 1")
        check(deadline is None or deadline > 0, "deadline must be above 0")
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

    def call(self, *args, **kwargs):
        """Return the first answer."""
        until = None if self._deadline is None else self._clock() + self._deadline
        errors = []
        while len(errors) < self._attempts:
            if errors:
                self._wait(errors, until)
            try:
                return self._ask(*args, **kwargs)
            except CircuitOpenError as refusal:
                raise CircuitOpenError(refusal.retry_after, errors)
            except self._retryable as error:
                errors.append(error)
        raise RetriesExhaustedError(errors)

    def _ask(self, *args, **kwargs):
        if self._breaker is None:
            return self._service(*args, **kwargs)
        return self._breaker.call(self._service, *args, **kwargs)

    def _wait(self, errors, until):
        """Wait for the next attempt, unless there is no point in it."""
        if self._breaker is not None and self._breaker.state == "open":
            raise CircuitOpenError(self._breaker.remaining(), errors)
        pause = pause_after(len(errors), errors[-1], self._base, self._cap, self._jitter, self._random)
        if self._is_late(until, pause):
            raise DeadlineError(errors)
        self._sleep(pause)
        if self._is_late(until, 0):
            raise DeadlineError(errors)

    def _is_late(self, until, pause):
        return until is not None and self._clock() + pause >= until


class Breaker:
    """Keeps calls away from a service that fails again and again."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        """Check and keep the settings; the breaker begins closed."""
        check(threshold >= 1, "threshold must be at least 1")
        check(cooldown > 0, "cooldown must be above 0")
        self._threshold = threshold
        self._cooldown = cooldown
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._state = "closed"
        self._failures = 0
        self._opened = None
        self._probing = False

    @property
    def state(self):
        """The state at this moment."""
        if self._state == "open" and self.remaining() == 0:
            self._change("half-open")
        return self._state

    def remaining(self):
        """Return the seconds until the breaker is half-open."""
        if self._state != "open":
            return 0
        return max(0, self._opened + self._cooldown - self._clock())

    def call(self, function, *args, **kwargs):
        """Call the function, or refuse to."""
        began = self.state
        if began == "open" or (began == "half-open" and self._probing):
            raise CircuitOpenError(self.remaining())
        self._probing = began == "half-open"
        try:
            answer = function(*args, **kwargs)
        except Exception as error:
            self._finish(began, isinstance(error, self._counts))
            raise
        except BaseException:
            if began == "half-open":
                self._probing = False
            raise
        self._finish(began, False)
        return answer

    def _finish(self, began, failed):
        """Take the outcome of a call into account, unless the state is another by now."""
        if self._state != began:
            return
        if not failed:
            self._failures = 0
            if began == "half-open":
                self._change("closed")
            return
        self._failures += 1
        if began == "half-open" or self._failures >= self._threshold:
            self._opened = self._clock()
            self._change("open")

    def _change(self, new):
        old = self._state
        self._state = new
        self._failures = 0
        self._probing = False
        if self._on_change:
            self._on_change(old, new)
