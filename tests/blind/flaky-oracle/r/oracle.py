"""Patience with a service that is not always in.

`Backoff` knows how long to wait, `Deadline` whether there is time, `Breaker` whether anybody is in, and `Caller` asks.
"""

import random as chance
import time
from dataclasses import dataclass
from enum import Enum


class OracleError(Exception):
    """What all errors here have in common: the story of the call that ended."""

    def __init__(self, message, *, errors=(), attempts=None):
        super().__init__(message)
        self.errors = tuple(errors)
        self.attempts = len(self.errors) if attempts is None else attempts


class RetriesExhaustedError(OracleError):
    """The last of the attempts has failed."""


class DeadlineError(OracleError):
    """The time for the whole call is used up."""


class CircuitOpenError(OracleError):
    """The breaker keeps everybody away for `retry_after` seconds."""

    def __init__(self, message, *, retry_after, errors=()):
        super().__init__(message, errors=errors)
        self.retry_after = retry_after


def _positive(name, value):
    if not value > 0:
        raise ValueError(f"{name} must be above 0, not {value!r}")
    return value


def _at_least_one(name, value):
    if not value >= 1:
        raise ValueError(f"{name} must be at least 1, not {value!r}")
    return value


@dataclass(frozen=True)
class Backoff:
    """Growing pauses with a random part taken off."""

    base: float
    cap: float
    jitter: float

    def __post_init__(self):
        _positive("base", self.base)
        _positive("cap", self.cap)
        if not 0 <= self.jitter <= 1:
            raise ValueError(f"jitter must lie between 0 and 1, not {self.jitter!r}")

    def limit(self, failed):
        """The longest pause after so many failed attempts."""
        try:
            return min(self.cap, self.base * 2.0 ** (failed - 1))
        except OverflowError:
            return self.cap

    def pause(self, failed, draw, error):
        """The pause itself, never shorter than the error asks for."""
        pause = self.limit(failed) * (1 - self.jitter * draw)
        wish = getattr(error, "retry_after", None)
        return pause if wish is None else max(pause, wish)


class Deadline:
    """A moment that may not be reached; None is never."""

    def __init__(self, seconds, clock):
        """Start counting."""
        self._clock = clock
        self._moment = None if seconds is None else clock() + seconds

    def reached(self, ahead=0):
        """Whether the moment is reached now, or so many seconds ahead."""
        return self._moment is not None and self._clock() + ahead >= self._moment


class Caller:
    """Asks on behalf of others, for a limited number of times and a limited time."""

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
        random=chance.random,
    ):
        """Refuse settings that make no sense."""
        if not callable(service):
            raise TypeError(f"{service!r} can't be called")
        self._service = service
        self._attempts = _at_least_one("attempts", attempts)
        self._backoff = Backoff(base, cap, jitter)
        self._retryable = retryable
        self._seconds = None if deadline is None else _positive("deadline", deadline)
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep
        self._random = random

    def call(self, *args, **kwargs):
        """The answer, if it comes in time; otherwise an error that tells why not."""
        deadline = Deadline(self._seconds, self._clock)
        errors = []
        while True:
            try:
                answer = self._ask(args, kwargs)
            except CircuitOpenError as refusal:
                self._give_up_open(errors, refusal.retry_after)
            except self._retryable as error:
                errors.append(error)
            else:
                return self._in_time(answer, errors, deadline)
            self._rest(errors, deadline)

    def _ask(self, args, kwargs):
        if self._breaker is None:
            return self._service(*args, **kwargs)
        return self._breaker.call(self._service, *args, **kwargs)

    def _in_time(self, answer, errors, deadline):
        if deadline.reached():
            cause = errors[-1] if errors else None
            raise DeadlineError("the answer came too late", errors=errors, attempts=len(errors) + 1) from cause
        return answer

    def _rest(self, errors, deadline):
        last = errors[-1]
        if len(errors) == self._attempts:
            raise RetriesExhaustedError(f"{len(errors)} attempts failed, the last with {last!r}", errors=errors) from last
        if self._breaker is not None and self._breaker.state == State.OPEN.value:
            self._give_up_open(errors, self._breaker.remaining())
        pause = self._backoff.pause(len(errors), self._random(), last)
        if deadline.reached(ahead=pause):
            raise DeadlineError(f"no time left to wait {pause:g} s", errors=errors) from last
        self._sleep(pause)
        if deadline.reached():
            raise DeadlineError("woke up too late", errors=errors) from last

    @staticmethod
    def _give_up_open(errors, retry_after):
        cause = errors[-1] if errors else None
        raise CircuitOpenError("nobody is in", retry_after=retry_after, errors=errors) from cause


class State(Enum):
    """The states of a breaker, by the names that users see."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


class Breaker:
    """Keeps calls away while nobody is in, and lets one look from time to time."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        """Begin closed."""
        self._threshold = _at_least_one("threshold", threshold)
        self._cooldown = _positive("cooldown", cooldown)
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._state = State.CLOSED
        self._era = 0
        self._failures = 0
        self._reopens = None
        self._probe_under_way = False

    @property
    def state(self):
        """The name of the state at this moment."""
        return self._current().value

    def remaining(self):
        """Seconds until a call may go through again."""
        return max(0, self._reopens - self._clock()) if self._state is State.OPEN else 0

    def call(self, function, *args, **kwargs):
        """Let the call through, or refuse it."""
        state = self._current()
        if state is State.OPEN or self._probe_under_way:
            raise CircuitOpenError("nobody is in", retry_after=self.remaining())
        era = self._era
        self._probe_under_way = state is State.HALF_OPEN
        try:
            answer = function(*args, **kwargs)
        except Exception as error:
            self._outcome(era, failed=isinstance(error, self._counts))
            raise
        except BaseException:
            self._interrupted(era)
            raise
        self._outcome(era, failed=False)
        return answer

    def _current(self):
        if self._state is State.OPEN and self._clock() >= self._reopens:
            self._enter(State.HALF_OPEN)
        return self._state

    def _outcome(self, era, failed):
        self._current()
        if era != self._era:
            return
        if failed:
            self._failures += 1
            if self._state is State.HALF_OPEN or self._failures >= self._threshold:
                self._reopens = self._clock() + self._cooldown
                self._enter(State.OPEN)
        elif self._state is State.HALF_OPEN:
            self._enter(State.CLOSED)
        else:
            self._failures = 0

    def _interrupted(self, era):
        if era == self._era:
            self._probe_under_way = False

    def _enter(self, state):
        old, self._state = self._state, state
        self._era += 1
        self._failures = 0
        self._probe_under_way = False
        if self._on_change is not None:
            self._on_change(old.value, state.value)
