import random
import time


class OracleError(Exception):
    attempts = 0
    errors = ()


class RetriesExhaustedError(OracleError):
    pass


class DeadlineError(OracleError):
    pass


class CircuitOpenError(OracleError):
    retry_after = 0


class Breaker:
    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        assert threshold > 0
        self.threshold = threshold
        self.cooldown = cooldown
        self.on_change = on_change
        self.clock = clock
        self.state = "closed"
        self.failures = 0
        self.since = 0

    def call(self, function, *args, **kwargs):
        if self.state == "open":
            if self.clock() - self.since < self.cooldown:
                raise CircuitOpenError("open")
            self.state = "half-open"
        try:
            result = function(*args, **kwargs)
            self.state = "closed"
            return result
        except Exception:
            self.failures += 1
            if self.failures >= self.threshold:
                self.state = "open"
                self.since = self.clock()
                if self.on_change:
                    self.on_change("closed", "open")
            raise


class Caller:
    def __init__(self, service, *, attempts=4, base=0.1, cap=10.0, jitter=0.5,
                 retryable=(ConnectionError, TimeoutError), deadline=None, breaker=None,
                 clock=time.monotonic, sleep=time.sleep, random=random.random):
        assert attempts > 0, "attempts"
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
        result = None
        tries = 0
        waited = 0
        pause = self.base
        while result is None:
            try:
                tries += 1
                if self.breaker is not None:
                    result = self.breaker.call(self.service, *args, **kwargs)
                else:
                    result = self.service(*args, **kwargs)
            except CircuitOpenError:
                raise
            except Exception as e:
                if not isinstance(e, self.retryable):
                    raise
                if tries >= self.attempts:
                    err = RetriesExhaustedError("gave up: " + str(e))
                    err.attempts = tries
                    raise err
                wait = min(pause, self.cap) + self.jitter * self.random() * pause
                if self.deadline is not None:
                    if waited + wait > self.deadline:
                        err = DeadlineError("too late: " + str(e))
                        err.attempts = tries
                        raise err
                self.sleep(wait)
                waited += wait
                pause = pause * 2
            if result is None and tries >= self.attempts:
                return None
        return result
