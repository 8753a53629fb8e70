"""Asking a service that is not always in: again after growing pauses, and not at all while its breaker is open."""

import random
import time

LARGEST_POWER = 1000
"""Two to this power times any base is far above any cap, and a float still holds it."""


class OracleError(Exception):
    """A call was given up.

    Attributes:
        attempts: How many attempts reached the service.
        errors: What they raised, in order.
    """

    def __init__(self, message, errors=()):
        """Remember what the attempts raised; the last of it is the cause."""
        super().__init__(message)
        self.errors = tuple(errors)
        self.attempts = len(self.errors)
        self.__cause__ = self.errors[-1] if self.errors else None


class RetriesExhaustedError(OracleError):
    """The last attempt that was allowed has failed."""


class DeadlineError(OracleError):
    """There is no time for another attempt."""


class CircuitOpenError(OracleError):
    """A breaker keeps the call away; ``retry_after`` seconds from now it may let one through."""

    def __init__(self, message, retry_after, errors=()):
        """Remember when to come back."""
        super().__init__(message, errors)
        self.retry_after = retry_after


class Breaker:
    """Lets calls through until too many in a row have failed; later lets one of them look whether that is over."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        """Begin closed. ``on_change(old, new)`` is told each change of state."""
        self._threshold = _at_least_one("threshold", threshold)
        self._cooldown = _above_zero("cooldown", cooldown)
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._state = "closed"
        self._era = 0
        self._failures = 0
        self._opened_at = 0.0
        self._probing = False

    @property
    def state(self):
        """``closed``, ``open`` or ``half-open``."""
        if self._state == "open" and self._clock() - self._opened_at >= self._cooldown:
            self._move("half-open")
        return self._state

    @property
    def retry_after(self):
        """The seconds until an open breaker is half-open; 0 in any other state."""
        if self.state != "open":
            return 0.0
        return max(0.0, self._opened_at + self._cooldown - self._clock())

    def call(self, function, *args, **kwargs):
        """Call a function, unless the state forbids it.

        Raises:
            CircuitOpenError: The breaker is open, or half-open with its probe under way.
        """
        era = self._enter()
        try:
            answer = function(*args, **kwargs)
        except self._counts:
            self._note_failure(era)
            raise
        except Exception:
            self._note_success(era)
            raise
        except BaseException:
            if era == self._era:
                self._probing = False
            raise
        self._note_success(era)
        return answer

    def _enter(self):
        state = self.state
        if state == "open" or self._probing:
            raise CircuitOpenError(f"the circuit is {state}", self.retry_after)
        self._probing = state == "half-open"
        return self._era

    def _note_success(self, era):
        if era != self._era:
            return
        self._failures = 0
        if self._probing:
            self._move("closed")

    def _note_failure(self, era):
        if era != self._era:
            return
        self._failures += 1
        if self._probing or self._failures >= self._threshold:
            self._opened_at = self._clock()
            self._move("open")

    def _move(self, state):
        """The only place where the state changes: a new era, in which nothing has happened yet."""
        old, self._state = self._state, state
        self._era += 1
        self._failures = 0
        self._probing = False
        if self._on_change is not None:
            self._on_change(old, state)


class Caller:
    """Asks a service on somebody's behalf, again where that makes sense."""

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
        """Check the settings and remember them.

        Raises:
            ValueError: A setting makes no sense.
            TypeError: The service can't be called.
        """
        if not callable(service):
            raise TypeError(f"a service must be callable, not {type(service).__name__}")
        if not 0 <= jitter <= 1:
            raise ValueError(f"jitter must be from 0 to 1, not {jitter}")
        self._attempt = service if breaker is None else _through(breaker, service)
        self._attempts = _at_least_one("attempts", attempts)
        self._base = _above_zero("base", base)
        self._cap = _above_zero("cap", cap)
        self._jitter = jitter
        self._retryable = retryable
        self._deadline = None if deadline is None else _above_zero("deadline", deadline)
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep
        self._random = random

    def call(self, *args, **kwargs):
        """Ask the service, and give its answer.

        Raises:
            RetriesExhaustedError: All attempts have failed.
            CircuitOpenError: The breaker is open, or refuses an attempt.
            DeadlineError: There is no time for another attempt.
        """
        latest = None if self._deadline is None else self._clock() + self._deadline
        errors = []
        while True:
            try:
                return self._attempt(*args, **kwargs)
            except CircuitOpenError as refusal:
                raise CircuitOpenError(str(refusal), refusal.retry_after, errors) from (errors or [None])[-1]
            except self._retryable as error:
                errors.append(error)
            self._go_on(errors, latest)

    def _go_on(self, errors, latest):
        """Wait for the next attempt, or give up."""
        if len(errors) >= self._attempts:
            raise RetriesExhaustedError(f"gave up after {len(errors)} attempts", errors) from errors[-1]
        if self._breaker is not None and self._breaker.state == "open":
            raise CircuitOpenError("the circuit is open", self._breaker.retry_after, errors) from errors[-1]
        pause = self._pause(errors)
        if latest is not None and self._clock() + pause >= latest:
            raise DeadlineError(f"no time for a pause of {pause:.3f} s", errors) from errors[-1]
        self._sleep(pause)
        if latest is not None and self._clock() >= latest:
            raise DeadlineError("slept past the deadline", errors) from errors[-1]

    def _pause(self, errors):
        limit = limit_after(len(errors), self._base, self._cap)
        wished = getattr(errors[-1], "retry_after", None)
        pause = limit * (1 - self._jitter * self._random())
        return pause if wished is None else max(pause, wished)


def limit_after(failures, base, cap):
    """The longest pause after so many failed attempts: doubled each time, up to the cap."""
    return min(cap, base * 2 ** min(failures - 1, LARGEST_POWER))


def _through(breaker, service):
    return lambda *args, **kwargs: breaker.call(service, *args, **kwargs)


def _at_least_one(name, value):
    if value < 1:
        raise ValueError(f"{name} must be at least 1, not {value}")
    return value


def _above_zero(name, value):
    # Asked this way round, NaN is refused as well.
    if not value > 0:
        raise ValueError(f"{name} must be above 0, not {value}")
    return value
