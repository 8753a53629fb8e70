"""The caller, and the pauses that it makes."""

import random
import time

from .errors import CircuitOpenError, DeadlineError, RetriesExhaustedError
from .settings import above_zero, at_least


def limits(base, cap):
    """The longest pause after each attempt: doubling, up to the cap, for ever."""
    while base < cap:
        yield base
        base *= 2
    while True:
        yield cap


class Caller:
    """Asks again where that makes sense."""

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
        if not callable(service):
            raise TypeError("the service can't be called")
        if not at_least("jitter", jitter, 0) <= 1:
            raise ValueError("jitter must be at most 1")
        self._service = service
        self._attempts = at_least("attempts", attempts, 1)
        self._base = above_zero("base", base)
        self._cap = above_zero("cap", cap)
        self._jitter = jitter
        self._retryable = retryable
        self._deadline = None if deadline is None else above_zero("deadline", deadline)
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep
        self._random = random

    def call(self, *args, **kwargs):
        """The service's answer, or the error that says why there is none."""
        start = self._clock()
        errors = []
        for limit in limits(self._base, self._cap):
            try:
                return self._attempt(args, kwargs)
            except CircuitOpenError as refusal:
                raise CircuitOpenError("refused", errors, refusal.retry_after) from (errors[-1] if errors else None)
            except self._retryable as error:
                errors.append(error)
            self._recover(errors, limit, start)

    def _attempt(self, args, kwargs):
        if self._breaker is None:
            return self._service(*args, **kwargs)
        return self._breaker.call(self._service, *args, **kwargs)

    def _recover(self, errors, limit, start):
        """After a failure: give up, or sleep."""
        if len(errors) == self._attempts:
            raise RetriesExhaustedError(f"{len(errors)} attempts failed", errors)
        if self._breaker is not None and self._breaker.state == "open":
            raise CircuitOpenError("the breaker has opened", errors, self._breaker._rest())
        pause = self._pause(limit, errors[-1])
        self._in_time(start, pause, errors)
        self._sleep(pause)
        self._in_time(start, 0, errors)

    def _pause(self, limit, error):
        """How long to wait after this error."""
        pause = limit * (1 - self._jitter * self._random())
        hint = getattr(error, "retry_after", None)
        return pause if hint is None else max(pause, hint)

    def _in_time(self, start, more, errors):
        """Refuse to go on if the deadline will be over by then."""
        if self._deadline is not None and self._clock() + more > start + self._deadline:
            raise DeadlineError("no time for another attempt", errors)
