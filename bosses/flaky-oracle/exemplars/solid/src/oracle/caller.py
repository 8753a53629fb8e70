"""The caller: attempts, pauses, and three ways to give up."""

import random
import time

from oracle.errors import CircuitOpenError, DeadlineError, RetriesExhaustedError
from oracle.timing import Deadline, limits, positive, shortened


class Caller:
    """Asks a service until it answers, or there is no point in asking."""

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
            raise TypeError("a service can be called")
        positive(base=base, cap=cap, deadline=1 if deadline is None else deadline)
        if attempts < 1 or not (0 <= jitter <= 1):
            raise ValueError("attempts must be at least 1, and jitter from 0 to 1")
        self._service = service
        self._attempts = attempts
        self._base, self._cap, self._jitter = base, cap, jitter
        self._retryable = retryable
        self._deadline = deadline
        self._breaker = breaker
        self._clock, self._sleep, self._random = clock, sleep, random

    def call(self, *args, **kwargs):
        """The service's answer."""
        deadline = Deadline(self._deadline, self._clock)
        errors = []
        for limit in limits(self._base, self._cap):
            try:
                return self._attempt(errors, args, kwargs)
            except CircuitOpenError:
                raise
            except self._retryable as error:
                errors.append(error)
            self._check(errors)
            self._pause(limit, errors, deadline)

    def _attempt(self, errors, args, kwargs):
        if self._breaker is None:
            return self._service(*args, **kwargs)
        try:
            return self._breaker.call(self._service, *args, **kwargs)
        except CircuitOpenError as refusal:
            raise CircuitOpenError(refusal.retry_after, errors) from (errors[-1] if errors else None)

    def _check(self, errors):
        if len(errors) == self._attempts:
            raise RetriesExhaustedError(errors) from errors[-1]
        if self._breaker is not None and self._breaker.state == "open":
            raise self._breaker.refusal(errors) from errors[-1]

    def _pause(self, limit, errors, deadline):
        pause = shortened(limit, self._jitter, self._random())
        asked_for = getattr(errors[-1], "retry_after", None)
        if asked_for is not None:
            pause = max(pause, asked_for)
        if deadline.reached(ahead=pause):
            raise DeadlineError(errors) from errors[-1]
        self._sleep(pause)
        if deadline.reached():
            raise DeadlineError(errors) from errors[-1]
