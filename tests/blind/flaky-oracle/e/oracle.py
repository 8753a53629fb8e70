"""Ask a service again, but not for ever."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field


class OracleError(Exception):
    """The base: how many attempts were made, and what they raised."""

    def __init__(self, message: str = "", errors: tuple | list = (), attempts: int | None = None):
        """Keep the errors; attempts is their number unless one of the attempts raised none."""
        super().__init__(message)
        self.errors = tuple(errors)
        self.attempts = len(self.errors) if attempts is None else attempts
        self.__cause__ = self.errors[-1] if self.errors else None


class RetriesExhaustedError(OracleError):
    """No attempt is left."""


class DeadlineError(OracleError):
    """No time is left."""


class CircuitOpenError(OracleError):
    """The breaker is not to be passed for now."""

    retry_after: float = 0

    @classmethod
    def until(cls, seconds: float, errors: tuple | list = ()) -> CircuitOpenError:
        """Return the error for a breaker that is half-open in so many seconds."""
        error = cls(f"come back in {seconds} seconds", errors)
        error.retry_after = seconds
        return error


def _above_zero(**settings: float) -> None:
    for name, value in settings.items():
        if not value > 0:
            raise ValueError(f"{name} must be above 0, not {value}")


def _one_or_more(**settings: int) -> None:
    for name, value in settings.items():
        if value < 1:
            raise ValueError(f"{name} must be 1 or more, not {value}")


@dataclass(frozen=True)
class Schedule:
    """The pauses between attempts."""

    base: float
    cap: float
    jitter: float
    chance: Callable[[], float]

    def __post_init__(self) -> None:
        """Refuse settings that make no sense."""
        _above_zero(base=self.base, cap=self.cap)
        if not 0 <= self.jitter <= 1:
            raise ValueError(f"jitter must be from 0 to 1, not {self.jitter}")

    def limit(self, n: int) -> float:
        """Return the pause after the n-th failure, before jitter."""
        try:
            return min(self.cap, self.base * 2.0 ** (n - 1))
        except OverflowError:
            return self.cap

    def pause(self, n: int, error: Exception) -> float:
        """Return the pause after the n-th failure."""
        pause = self.limit(n) * (1 - self.jitter * self.chance())
        wish = getattr(error, "retry_after", None)
        return pause if wish is None else max(pause, wish)


@dataclass(frozen=True)
class Stopwatch:
    """Runs from the beginning of a call to its deadline."""

    end: float | None
    clock: Callable[[], float]

    def is_over(self, ahead: float = 0) -> bool:
        """Tell whether the deadline is reached in so many seconds."""
        return self.end is not None and self.clock() + ahead >= self.end


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
        """Keep the settings, if they make sense."""
        if not callable(service):
            raise TypeError(f"{service!r} is no service")
        _one_or_more(attempts=attempts)
        if deadline is not None:
            _above_zero(deadline=deadline)
        self._service = service
        self._attempts = attempts
        self._schedule = Schedule(base, cap, jitter, random)
        self._retryable = retryable
        self._deadline = deadline
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep

    def call(self, *args, **kwargs):
        """Return the answer, if there is one in time."""
        watch = Stopwatch(None if self._deadline is None else self._clock() + self._deadline, self._clock)
        errors = []
        while True:
            try:
                answer = self._ask(args, kwargs)
            except CircuitOpenError as refusal:
                raise CircuitOpenError.until(refusal.retry_after, errors)
            except self._retryable as error:
                errors.append(error)
            else:
                self._check_in_time(watch, errors, attempts=len(errors) + 1)
                return answer
            self._check_in_time(watch, errors)
            self._check_allowed(errors)
            self._rest(watch, errors)

    def _ask(self, args, kwargs):
        if self._breaker is None:
            return self._service(*args, **kwargs)
        return self._breaker.call(self._service, *args, **kwargs)

    def _check_in_time(self, watch, errors, attempts=None):
        """Raise if the deadline has been reached."""
        if watch.is_over():
            raise DeadlineError("the deadline is over", errors, attempts)

    def _check_allowed(self, errors):
        """Raise if there is to be no further attempt."""
        if len(errors) >= self._attempts:
            raise RetriesExhaustedError(f"{len(errors)} attempts have failed", errors)
        if self._breaker is not None and self._breaker.state == "open":
            raise CircuitOpenError.until(self._breaker.seconds_left(), errors)

    def _rest(self, watch, errors):
        """Sleep before the next attempt."""
        pause = self._schedule.pause(len(errors), errors[-1])
        if watch.is_over(pause):
            raise DeadlineError("the deadline is over before the pause is", errors)
        self._sleep(pause)
        self._check_in_time(watch, errors)


@dataclass
class Breaker:
    """Opens after some failures in a row, and looks again after a cooldown."""

    threshold: int = 5
    cooldown: float = 30.0
    counts: type | tuple = field(default=Exception, kw_only=True)
    on_change: Callable[[str, str], object] | None = field(default=None, kw_only=True)
    clock: Callable[[], float] = field(default=time.monotonic, kw_only=True)

    def __post_init__(self) -> None:
        """Refuse settings that make no sense, and begin closed."""
        _one_or_more(threshold=self.threshold)
        _above_zero(cooldown=self.cooldown)
        self._state = "closed"
        self._failures = 0
        self._probing = False
        self._half_open_at = 0.0

    @property
    def state(self) -> str:
        """The state of the breaker."""
        if self._state == "open" and self.clock() >= self._half_open_at:
            self._become("half-open")
        return self._state

    def seconds_left(self) -> float:
        """Return the seconds until the breaker is half-open."""
        return max(0, self._half_open_at - self.clock()) if self._state == "open" else 0

    def call(self, function, *args, **kwargs):
        """Call the function, if that is allowed."""
        if self.state == "open" or self._probing:
            raise CircuitOpenError.until(self.seconds_left())
        self._probing = self._state == "half-open"
        try:
            answer = function(*args, **kwargs)
        except Exception as error:
            if isinstance(error, self.counts):
                self._note_failure()
            else:
                self._note_success()
            raise
        except BaseException:
            self._probing = False
            raise
        self._note_success()
        return answer

    def _note_success(self):
        self._failures = 0
        if self._state == "half-open":
            self._become("closed")

    def _note_failure(self):
        self._failures += 1
        if self._state == "half-open" or (self._state == "closed" and self._failures >= self.threshold):
            self._half_open_at = self.clock() + self.cooldown
            self._become("open")

    def _become(self, state):
        old, self._state = self._state, state
        self._failures = 0
        self._probing = False
        if self.on_change is not None:
            self.on_change(old, state)
