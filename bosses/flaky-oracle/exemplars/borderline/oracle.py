import random
import time


class OracleError(Exception):
    def __init__(self, message, attempts=0):
        super().__init__(message)
        self.attempts = attempts
        self.errors = ()


class RetriesExhaustedError(OracleError):
    pass


class DeadlineError(OracleError):
    pass


class CircuitOpenError(OracleError):
    retry_after = None


class Breaker:
    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        if threshold <= 0 or cooldown <= 0:
            raise ValueError("threshold and cooldown have to be positive")
        self.threshold = threshold
        self.cooldown = cooldown
        self.counts = counts
        self.on_change = on_change
        self.clock = clock
        self.current = "closed"
        self.failures = 0
        self.opened = None
        self.probe = False

    @property
    def state(self):
        if self.current == "open":
            if self.clock() - self.opened >= self.cooldown:
                self.change("half-open")
        return self.current

    def change(self, new):
        old = self.current
        self.current = new
        if self.on_change:
            self.on_change(old, new)

    def call(self, function, *args, **kwargs):
        state = self.state
        if state == "open":
            raise CircuitOpenError("breaker is open")
        if state == "half-open":
            if self.probe:
                raise CircuitOpenError("somebody is trying already")
            self.probe = True
        try:
            result = function(*args, **kwargs)
        except self.counts:
            self.failures += 1
            if self.current == "half-open" or self.failures >= self.threshold:
                self.probe = False
                self.opened = self.clock()
                self.change("open")
            raise
        except Exception:
            self.failures = 0
            if self.current == "half-open":
                self.probe = False
                self.change("closed")
            raise
        self.failures = 0
        if self.current == "half-open":
            self.probe = False
            self.change("closed")
        return result


class Caller:
    def __init__(self, service, *, attempts=4, base=0.1, cap=10.0, jitter=0.5,
                 retryable=(ConnectionError, TimeoutError), deadline=None, breaker=None,
                 clock=time.monotonic, sleep=time.sleep, random=random.random):
        if not callable(service):
            raise TypeError("service has to be callable")
        if attempts < 1 or base <= 0 or cap <= 0 or jitter < 0 or jitter > 1:
            raise ValueError("bad settings")
        if deadline is not None and deadline <= 0:
            raise ValueError("bad deadline")
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
        limit = self.base
        attempt = 0
        while True:
            try:
                if self.breaker:
                    return self.breaker.call(self.service, *args, **kwargs)
                return self.service(*args, **kwargs)
            except CircuitOpenError as e:
                e.attempts = attempt
                raise
            except self.retryable as e:
                attempt += 1
                if attempt == self.attempts:
                    raise RetriesExhaustedError("no luck", attempt) from e
                if self.breaker and self.breaker.state == "open":
                    raise CircuitOpenError("breaker is open", attempt) from e
                pause = min(limit, self.cap) * (1 - self.jitter * self.random())
                wanted = getattr(e, "retry_after", None)
                if wanted is not None and wanted > pause:
                    pause = wanted
                limit = min(limit * 2, self.cap)
                if self.deadline is not None and self.clock() - start + pause >= self.deadline:
                    raise DeadlineError("too late", attempt) from e
            self.sleep(pause)
