"""The circuit breaker."""

import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from well.errors import CircuitOpenError
from well.protocols import Clock
from well.validation import require_at_least_one, require_positive


class State(StrEnum):
    """The states of a breaker."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


class Breaker:
    """Refuses calls for a while after too many failures in a row."""

    def __init__(
        self,
        threshold: int = 5,
        cooldown: float = 30.0,
        *,
        counts: type | tuple = Exception,
        on_change: Callable[[str, str], Any] | None = None,
        clock: Clock = time.monotonic,
    ):
        self._threshold = require_at_least_one("threshold", threshold)
        self._cooldown = require_positive("cooldown", cooldown)
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._state = State.CLOSED
        self._generation = 0
        self._failures = 0
        self._probe_under_way = False
        self._half_open_at = 0.0

    @property
    def state(self) -> str:
        """The state, brought up to date."""
        if self._state is State.OPEN and self._clock() >= self._half_open_at:
            self._transition(State.HALF_OPEN)
        return self._state.value

    @property
    def retry_after(self) -> float:
        """Seconds until the breaker is half-open."""
        if self._state is not State.OPEN:
            return 0
        return max(0, self._half_open_at - self._clock())

    def call(self, function: Callable, *args: Any, **kwargs: Any) -> Any:
        """Call the function, or raise CircuitOpenError."""
        generation = self._admit()
        try:
            answer = function(*args, **kwargs)
        except BaseException as error:
            self._on_error(generation, error)
            raise
        self._on_success(generation)
        return answer

    def _admit(self) -> int:
        if self.state == State.OPEN or self._probe_under_way:
            raise CircuitOpenError("the breaker refuses calls", retry_after=self.retry_after)
        self._probe_under_way = self._state is State.HALF_OPEN
        return self._generation

    def _on_error(self, generation: int, error: BaseException) -> None:
        if not isinstance(error, Exception):
            self._probe_under_way = False
        elif isinstance(error, self._counts):
            self._on_failure(generation)
        else:
            self._on_success(generation)

    def _on_failure(self, generation: int) -> None:
        if generation != self._generation:
            return
        self._failures += 1
        if self._state is State.HALF_OPEN or self._failures >= self._threshold:
            self._half_open_at = self._clock() + self._cooldown
            self._transition(State.OPEN)

    def _on_success(self, generation: int) -> None:
        if generation != self._generation:
            return
        self._failures = 0
        if self._state is State.HALF_OPEN:
            self._transition(State.CLOSED)

    def _transition(self, new: State) -> None:
        old, self._state = self._state, new
        self._generation += 1
        self._failures = 0
        self._probe_under_way = False
        if self._on_change is not None:
            self._on_change(old.value, new.value)
