"""Asking a service that is not always in: errors, pauses, a breaker and a caller."""

import math
import random
import time
from dataclasses import dataclass

CLOSED = "closed"
OPEN = "open"
HALF_OPEN = "half-open"


class OracleError(Exception):
    """The base of all errors: attempts made, the errors they ended in, and the last of them as the cause."""

    def __init__(self, message="", errors=()):
        """Take the errors of the attempts that reached the service."""
        super().__init__(message)
        self.errors = tuple(errors)
        self.__cause__ = self.errors[-1] if self.errors else None

    @property
    def attempts(self):
        """How many attempts reached the service."""
        return len(self.errors)


class RetriesExhaustedError(OracleError):
    """The last attempt has failed."""


class DeadlineError(OracleError):
    """The next attempt would begin too late."""


class CircuitOpenError(OracleError):
    """The breaker lets nobody in for another retry_after seconds."""

    def __init__(self, message="", errors=(), retry_after=0):
        """Take the seconds to wait as well."""
        super().__init__(message, errors)
        self.retry_after = retry_after


def positive(name, value):
    """Return a value above 0."""
    if not value > 0:
        raise ValueError(f"{name} must be above 0, not {value!r}")
    return value


def within(name, value, low, high=float("inf")):
    """Return a value from low to high, both included."""
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value!r}")
    return value


@dataclass(frozen=True)
class Pauses:
    """Pauses that double up to a cap, each shortened by chance."""

    base: float
    cap: float
    jitter: float

    def __post_init__(self):
        """Refuse what makes no sense."""
        positive("base", self.base)
        positive("cap", self.cap)
        within("jitter", self.jitter, 0, 1)

    def limit(self, n):
        """Return the longest pause after the n-th failed attempt."""
        try:
            return min(self.cap, math.ldexp(self.base, n - 1))
        except OverflowError:
            return self.cap

    def after(self, n, error, chance):
        """Return the pause after the n-th failed attempt, which ended in the error."""
        pause = self.limit(n) * (1 - self.jitter * chance)
        wanted = getattr(error, "retry_after", None)
        return pause if wanted is None else max(pause, wanted)


@dataclass(eq=False)
class _Phase:
    """A stretch of time in one state; a new one begins with each change."""

    name: str
    failures: int = 0
    probing: bool = False
    ends: float | None = None


class Breaker:
    """Opens after too many failures in a row, and lets one call look after the cooldown."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        """Begin closed."""
        self._threshold = within("threshold", threshold, 1)
        self._cooldown = positive("cooldown", cooldown)
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._phase = _Phase(CLOSED)

    @property
    def state(self):
        """The name of the present state."""
        return self._present().name

    @property
    def retry_after(self):
        """The seconds until the breaker is half-open, 0 if there is nothing to wait for."""
        phase = self._present()
        return max(0, phase.ends - self._clock()) if phase.name == OPEN else 0

    def call(self, function, *args, **kwargs):
        """Return the function's answer, or let its error pass, unless the call is refused."""
        phase = self._enter()
        try:
            answer = function(*args, **kwargs)
        except Exception as error:
            if isinstance(error, self._counts):
                self._failure(phase)
            else:
                self._success(phase)
            raise
        except BaseException:
            phase.probing = False
            raise
        self._success(phase)
        return answer

    def _present(self):
        """Return the present phase, after noticing that a cooldown is over."""
        phase = self._phase
        if phase.name == OPEN and self._clock() >= phase.ends:
            self._begin(_Phase(HALF_OPEN))
        return self._phase

    def _enter(self):
        """Let a call in and return its phase, or refuse it."""
        phase = self._present()
        if phase.name == OPEN or phase.probing:
            raise CircuitOpenError("the breaker is open", retry_after=self.retry_after)
        phase.probing = phase.name == HALF_OPEN
        return phase

    def _success(self, phase):
        if phase is not self._phase:
            return
        phase.failures = 0
        if phase.name == HALF_OPEN:
            self._begin(_Phase(CLOSED))

    def _failure(self, phase):
        if phase is not self._phase:
            return
        phase.failures += 1
        if phase.name == HALF_OPEN or phase.failures >= self._threshold:
            self._begin(_Phase(OPEN, ends=self._clock() + self._cooldown))

    def _begin(self, phase):
        old, self._phase = self._phase, phase
        if self._on_change is not None:
            self._on_change(old.name, phase.name)


class Caller:
    """Asks a service, after pauses that grow and differ, and not longer than there is time."""

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
        """Check the settings."""
        if not callable(service):
            raise TypeError(f"service can't be called: {service!r}")
        self._service = service
        self._attempts = within("attempts", attempts, 1)
        self._pauses = Pauses(base, cap, jitter)
        self._retryable = retryable
        self._seconds = math.inf if deadline is None else positive("deadline", deadline)
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep
        self._random = random

    def call(self, *args, **kwargs):
        """Return the service's answer."""
        deadline = self._clock() + self._seconds
        errors = []
        while True:
            try:
                return self._ask(args, kwargs)
            except CircuitOpenError as refusal:
                raise CircuitOpenError("refused by the breaker", errors, refusal.retry_after)
            except self._retryable as error:
                errors.append(error)
            self._check_worth(errors)
            self._rest(errors, deadline)

    def _ask(self, args, kwargs):
        if self._breaker is None:
            return self._service(*args, **kwargs)
        return self._breaker.call(self._service, *args, **kwargs)

    def _check_worth(self, errors):
        """Raise if another attempt is not allowed, or would be refused."""
        if len(errors) >= self._attempts:
            raise RetriesExhaustedError(f"gave up after {len(errors)} attempts", errors)
        if self._breaker is not None and self._breaker.state == OPEN:
            raise CircuitOpenError("the breaker has opened", errors, self._breaker.retry_after)

    def _rest(self, errors, deadline):
        """Sleep, and be back before the deadline, or raise."""
        pause = self._pauses.after(len(errors), errors[-1], self._random())
        if self._clock() + pause >= deadline:
            raise DeadlineError(f"a pause of {pause} s would end too late", errors)
        self._sleep(pause)
        if self._clock() >= deadline:
            raise DeadlineError("the pause ended too late", errors)
