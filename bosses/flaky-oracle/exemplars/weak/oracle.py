import random as rnd
import time


class OracleError(Exception):
    pass


class CircuitOpenError(OracleError):
    pass


class RetriesExhausted(OracleError):
    pass


class Breaker:
    def __init__(self, threshold=5, cooldown=30.0, counts=Exception, on_change=None, clock=time.monotonic):
        self.threshold = threshold
        self.cooldown = cooldown
        self.clock = clock
        self.failures = 0
        self.opened_at = 0

    @property
    def state(self):
        if self.failures < self.threshold:
            return "closed"
        if self.clock() - self.opened_at > self.cooldown:
            return "half-open"
        return "open"

    def call(self, function, *args, **kwargs):
        if self.state == "open":
            raise CircuitOpenError("circuit is open")
        try:
            result = function(*args, **kwargs)
            self.failures = 0
            return result
        except Exception:
            self.failures += 1
            self.opened_at = self.clock()
            raise


class Caller:
    def __init__(self, service, attempts=4, base=0.1, cap=10.0, jitter=0.5,
                 retryable=(ConnectionError, TimeoutError), deadline=None, breaker=None,
                 clock=time.monotonic, sleep=time.sleep, random=rnd.random):
        self.service = service
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.jitter = jitter
        self.retryable = retryable
        self.breaker = breaker
        self.sleep = sleep
        self.random = random

    def call(self, *args, **kwargs):
        result = None
        # try a few times
        for i in range(self.attempts):
            try:
                if self.breaker:
                    result = self.breaker.call(self.service, *args, **kwargs)
                else:
                    result = self.service(*args, **kwargs)
                if result:
                    return result
            except self.retryable as e:
                result = e
            if i < self.attempts - 1:
                delay = min(self.cap, self.base * 2 ** i)
                delay = delay + self.random() * self.jitter
                self.sleep(delay)
        raise RetriesExhausted("no answer: " + str(result))
