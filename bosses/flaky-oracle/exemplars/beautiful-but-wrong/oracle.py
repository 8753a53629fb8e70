"""A caller with a policy, and a breaker with a gauge."""

from __future__ import annotations

import random as chance
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Clock = Callable[[], float]
Kinds = type[BaseException] | tuple[type[BaseException], ...]


class OracleError(Exception):
    """Whatever goes wrong between a caller and its service."""

    def __init__(self, words: str, errors: tuple[Exception, ...] = ()) -> None:
        super().__init__(words)
        self.errors = errors
        self.attempts = len(errors)


class RetriesExhaustedError(OracleError):
    """Asking again has not helped."""


class DeadlineError(OracleError):
    """The time is up."""


class CircuitOpenError(OracleError):
    """The breaker lets nobody through."""

    def __init__(self, retry_after: float, errors: tuple[Exception, ...] = ()) -> None:
        super().__init__(f"come back in {retry_after:.1f} s", errors)
        self.retry_after = retry_after


class HopelessError(OracleError):
    """The service raised something that asking again would not change."""


class State(StrEnum):
    """What a breaker can be."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


@dataclass(frozen=True, slots=True)
class Policy:
    """How often to ask, and how long to wait in between."""

    attempts: int
    base: float
    cap: float
    jitter: float

    def __post_init__(self) -> None:
        require(self.attempts >= 1, "attempts must be at least 1")
        require(self.base > 0 and self.cap > 0, "base and cap must be above 0")
        require(0 <= self.jitter <= 1, "jitter must lie between 0 and 1")

    def pause(self, number: int, roll: float, wish: float | None) -> float:
        """Full jitter: anything from the smallest share up to the whole limit."""
        limit = min(self.cap, self.base * 2.0 ** min(number - 1, 500))
        drawn = limit * (1 - self.jitter) + limit * self.jitter * roll if self.jitter else limit
        return max(drawn, min(wish or 0.0, self.cap))


def require(holds: bool, words: str) -> None:
    """Refuse a setting."""
    if not holds:
        raise ValueError(words)


def remaining(until: float | None, now: float, pause: float) -> float:
    """A pause, cut short where the deadline comes first."""
    return pause if until is None else max(0.0, min(pause, until - now))


@dataclass
class Breaker:
    """A gauge: failures fill it, successes drain it; full means open."""

    threshold: int = 5
    cooldown: float = 30.0
    counts: Kinds = field(default=Exception, kw_only=True)
    on_change: Callable[[str, str], None] | None = field(default=None, kw_only=True)
    clock: Clock = field(default=time.monotonic, kw_only=True)

    def __post_init__(self) -> None:
        require(self.threshold >= 1, "threshold must be at least 1")
        require(self.cooldown > 0, "cooldown must be above 0")
        self._state = State.CLOSED
        self._level = 0
        self._opened = 0.0
        self._probing = False

    @property
    def state(self) -> str:
        """closed, open or half-open."""
        if self._state is State.OPEN and self.clock() - self._opened >= self.cooldown:
            self._enter(State.HALF_OPEN)
        return self._state.value

    @property
    def wait(self) -> float:
        """Seconds until somebody may look."""
        return max(0.0, self._opened + self.cooldown - self.clock()) if self.state == "open" else 0.0

    def call(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function through the breaker."""
        if self.state == "open" or self._probing:
            raise CircuitOpenError(self.wait)
        self._probing = self._state is State.HALF_OPEN
        try:
            answer = function(*args, **kwargs)
        except self.counts:
            self._fill()
            raise
        finally:
            self._probing = False
        self._drain()
        return answer

    def _fill(self) -> None:
        self._level += 1
        if self._state is State.HALF_OPEN or self._level >= self.threshold:
            self._opened = self.clock()
            self._enter(State.OPEN)

    def _drain(self) -> None:
        self._level = max(0, self._level - 1)
        if self._state is State.HALF_OPEN:
            self._level = 0
            self._enter(State.CLOSED)

    def _enter(self, state: State) -> None:
        old, self._state = self._state, state
        if self.on_change:
            self.on_change(old.value, state.value)


class Caller:
    """Asks a service by a policy."""

    def __init__(
        self,
        service: Callable[..., Any],
        *,
        attempts: int = 4,
        base: float = 0.1,
        cap: float = 10.0,
        jitter: float = 0.5,
        retryable: Kinds = (ConnectionError, TimeoutError),
        deadline: float | None = None,
        breaker: Breaker | None = None,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = chance.random,
    ) -> None:
        if not callable(service):
            raise TypeError("a service is something to call")
        require(deadline is None or deadline > 0, "deadline must be above 0")
        self._policy = Policy(attempts, base, cap, jitter)
        self._service = service
        self._retryable = retryable
        self._deadline = deadline
        self._breaker = breaker
        self._clock, self._sleep, self._random = clock, sleep, random

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Ask until there is an answer."""
        until = None if self._deadline is None else self._clock() + self._deadline
        errors: list[Exception] = []
        while True:
            try:
                return self._attempt(*args, **kwargs)
            except CircuitOpenError as refusal:
                raise CircuitOpenError(refusal.retry_after, tuple(errors)) from (errors[-1] if errors else None)
            except Exception as error:
                errors.append(error)
                if not isinstance(error, self._retryable):
                    raise HopelessError(f"hopeless: {error}", tuple(errors)) from error
            self._rest(errors, until)

    def _attempt(self, *args: Any, **kwargs: Any) -> Any:
        if self._breaker is None:
            return self._service(*args, **kwargs)
        return self._breaker.call(self._service, *args, **kwargs)

    def _rest(self, errors: list[Exception], until: float | None) -> None:
        """Give up, or wait for the next attempt."""
        raised = tuple(errors)
        if len(raised) >= self._policy.attempts:
            raise RetriesExhaustedError("asked often enough", raised) from raised[-1]
        if self._breaker is not None and self._breaker.state == "open":
            raise CircuitOpenError(self._breaker.wait, raised) from raised[-1]
        pause = self._policy.pause(len(raised), self._random(), getattr(raised[-1], "retry_after", None))
        self._sleep(remaining(until, self._clock(), pause))
        if until is not None and self._clock() >= until:
            raise DeadlineError("the time is up", raised) from raised[-1]
