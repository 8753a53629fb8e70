"""The caller: attempts, one after the other, until there is an answer or a reason to stop."""

import random
import time

from .errors import CircuitOpenError, DeadlineError, RetriesExhaustedError, last_of
from .pauses import Deadline, limits, pause_after
from .settings import check, check_service


class Caller:
    """Asks a service again and again, as long as that makes sense."""

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
        check_service(service)
        check(attempts=attempts, base=base, cap=cap, jitter=jitter, deadline=deadline)
        self._service = service
        self._attempts = attempts
        self._base, self._cap, self._jitter = base, cap, jitter
        self._retryable = retryable
        self._deadline = deadline
        self._breaker = breaker
        self._clock, self._sleep, self._random = clock, sleep, random

    def call(self, *args, **kwargs):
        """The service's answer, or the error that ends the asking."""
        deadline = Deadline(self._deadline, self._clock)
        growing = limits(self._base, self._cap)
        errors = []
        while True:
            try:
                return self._ask(*args, **kwargs)
            except CircuitOpenError as refusal:
                raise CircuitOpenError(str(refusal), refusal.retry_after, errors) from last_of(errors)
            except self._retryable as error:
                errors.append(error)
            self._check_for_more(errors)
            pause = pause_after(errors[-1], next(growing), self._jitter, self._random)
            self._check_time(deadline, pause, errors)
            self._sleep(pause)
            self._check_time(deadline, 0, errors)

    def _ask(self, *args, **kwargs):
        if self._breaker is None:
            return self._service(*args, **kwargs)
        return self._breaker.call(self._service, *args, **kwargs)

    def _check_for_more(self, errors):
        """Stop if there is no attempt left, or nobody to ask."""
        if len(errors) == self._attempts:
            raise RetriesExhaustedError(f"{len(errors)} attempts have failed", errors) from errors[-1]
        if self._breaker is not None and self._breaker.state == "open":
            raise self._breaker.refusal(errors) from errors[-1]

    def _check_time(self, deadline, seconds, errors):
        """Stop if it is too late so many seconds from now."""
        if deadline.comes_within(seconds):
            raise DeadlineError(f"no time left after {len(errors)} attempts", errors) from errors[-1]
