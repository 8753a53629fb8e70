import random
import time


class OracleError(Exception):
    """The base of all errors of this module."""
    attempts = 0
    errors = []
    retry_after = None


class RetriesExhaustedError(OracleError):
    pass


class DeadlineError(OracleError):
    pass


class CircuitOpenError(OracleError):
    pass


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
        if not callable(service):
            raise TypeError("service must be callable")
        if attempts < 1:
            raise ValueError("attempts must be at least 1")
        if base <= 0:
            raise ValueError("base must be above 0")
        if cap <= 0:
            raise ValueError("cap must be above 0")
        if jitter < 0 or jitter > 1:
            raise ValueError("jitter must be between 0 and 1")
        if deadline is not None and deadline <= 0:
            raise ValueError("deadline must be above 0")
        self.service = service
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.jitter = jitter
        self.retryable = retryable
        self.deadline = deadline
        self.breaker = breaker
        self.clock = clock
        self.sleep = sleep
        self.random = random

    def call(self, *args, **kwargs):
        start = self.clock()
        errors = []
        tries = 0
        delay = self.base
        while True:
            b = self.breaker
            if b is not None:
                if b.status == "open":
                    if b.clock() - b.opened >= b.cooldown:
                        b.status = "half-open"
                        if b.on_change is not None:
                            b.on_change("open", "half-open")
                    else:
                        err = CircuitOpenError("the circuit is open")
                        err.attempts = tries
                        err.errors = errors
                        err.retry_after = b.cooldown - (b.clock() - b.opened)
                        raise err
            try:
                tries = tries + 1
                result = self.service(*args, **kwargs)
                if b is not None:
                    b.failures = 0
                    if b.status == "half-open":
                        b.status = "closed"
                        if b.on_change is not None:
                            b.on_change("half-open", "closed")
                return result
            except Exception as e:
                if b is not None:
                    if isinstance(e, b.counts):
                        b.failures = b.failures + 1
                        if b.failures >= b.threshold:
                            old = b.status
                            b.status = "open"
                            b.opened = b.clock()
                            if b.on_change is not None:
                                b.on_change(old, "open")
                if isinstance(e, self.retryable):
                    errors.append(e)
                    if tries == self.attempts:
                        err = RetriesExhaustedError("gave up after " + str(tries) + " attempts")
                        err.attempts = tries
                        err.errors = errors
                        raise err from e
                    if b is not None and b.status == "open":
                        err = CircuitOpenError("the circuit is open")
                        err.attempts = tries
                        err.errors = errors
                        err.retry_after = b.cooldown - (b.clock() - b.opened)
                        raise err from e
                    pause = min(delay, self.cap) * (1 - self.jitter * self.random())
                    delay = delay * 2
                    if hasattr(e, "retry_after") and e.retry_after is not None:
                        pause = e.retry_after
                    if self.deadline is not None:
                        if self.clock() + pause - start > self.deadline:
                            err = DeadlineError("no time left")
                            err.attempts = tries
                            err.errors = errors
                            raise err from e
                    self.sleep(pause)
                else:
                    raise


class Breaker:
    """Keeps everybody away when the service is ill."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        if threshold < 1:
            raise ValueError("threshold must be at least 1")
        if cooldown <= 0:
            raise ValueError("cooldown must be above 0")
        self.threshold = threshold
        self.cooldown = cooldown
        self.counts = counts
        self.on_change = on_change
        self.clock = clock
        self.status = "closed"
        self.failures = 0
        self.opened = 0

    @property
    def state(self):
        return self.status

    def call(self, function, *args, **kwargs):
        if self.status == "open":
            if self.clock() - self.opened >= self.cooldown:
                self.status = "half-open"
                if self.on_change is not None:
                    self.on_change("open", "half-open")
            else:
                err = CircuitOpenError("the circuit is open")
                err.retry_after = self.cooldown - (self.clock() - self.opened)
                raise err
        try:
            result = function(*args, **kwargs)
        except Exception as e:
            if isinstance(e, self.counts):
                self.failures = self.failures + 1
                if self.failures >= self.threshold:
                    old = self.status
                    self.status = "open"
                    self.opened = self.clock()
                    if self.on_change is not None:
                        self.on_change(old, "open")
            raise
        self.failures = 0
        if self.status == "half-open":
            self.status = "closed"
            if self.on_change is not None:
                self.on_change("half-open", "closed")
        return result
