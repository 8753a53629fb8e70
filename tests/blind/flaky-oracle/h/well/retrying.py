"""The caller: asks, and decides whether to ask again."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from well.circuit import State
from well.errors import CircuitOpenError, DeadlineError, RetriesExhaustedError
from well.pacing import BackoffPolicy, Deadline
from well.protocols import Chance, Clock, Gate, Sleeper
from well.validation import require_at_least_one, require_positive


@dataclass(frozen=True)
class RetryPolicy:
    """Which errors are worth another attempt, and how many attempts there are."""

    attempts: int
    retryable: type | tuple

    def __post_init__(self):
        require_at_least_one("attempts", self.attempts)

    def applies_to(self, error: BaseException) -> bool:
        """Tell whether the error is one after which to ask again."""
        return isinstance(error, self.retryable)

    def is_exhausted(self, failed: int) -> bool:
        """Tell whether that many failed attempts were the last."""
        return failed >= self.attempts


class Caller:
    """Asks a service on your behalf."""

    def __init__(
        self,
        service: Callable,
        *,
        attempts: int = 4,
        base: float = 0.1,
        cap: float = 10.0,
        jitter: float = 0.5,
        retryable: type | tuple = (ConnectionError, TimeoutError),
        deadline: float | None = None,
        breaker: Gate | None = None,
        clock: Clock = time.monotonic,
        sleep: Sleeper = time.sleep,
        random: Chance = random.random,
    ):
        if not callable(service):
            raise TypeError(f"service must be callable, not {service!r}")
        self._service = service
        self._retry = RetryPolicy(attempts, retryable)
        self._backoff = BackoffPolicy(base, cap, jitter)
        self._deadline = None if deadline is None else require_positive("deadline", deadline)
        self._gate = breaker
        self._clock = clock
        self._sleep = sleep
        self._chance = random

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Ask until there is an answer, or a reason to stop asking."""
        deadline = Deadline.starting_now(self._deadline, self._clock)
        errors: list[BaseException] = []
        while True:
            try:
                return self._attempt(args, kwargs)
            except Exception as error:
                if self._retry.applies_to(error):
                    errors.append(error)
                elif isinstance(error, CircuitOpenError):
                    raise error.with_errors(errors) from (errors[-1] if errors else None)
                else:
                    raise
            self._wait_for_next(errors, deadline)

    def _attempt(self, args, kwargs):
        if self._gate is None:
            return self._service(*args, **kwargs)
        return self._gate.call(self._service, *args, **kwargs)

    def _wait_for_next(self, errors: list, deadline: Deadline) -> None:
        if self._retry.is_exhausted(len(errors)):
            raise RetriesExhaustedError(f"gave up after {len(errors)} attempts", errors)
        if self._gate is not None and self._gate.state == State.OPEN:
            raise CircuitOpenError("the breaker is open", errors, retry_after=self._gate.retry_after)
        pause = self._backoff.pause(len(errors), errors[-1], self._chance)
        if deadline.would_pass(pause):
            raise DeadlineError(f"no time for a pause of {pause} seconds", errors)
        self._sleep(pause)
        if deadline.would_pass():
            raise DeadlineError("the pause took until after the deadline", errors)
