"""calls the oracle until it works"""

import random
import time

FAILURES = []
STATE = "closed"


class Breaker:
    """breaks"""

    def __init__(self, threshold=5, cooldown=30.0, **options):
        self.threshold = threshold
        self.cooldown = cooldown

    @property
    def state(self):
        return STATE

    def call(self, function, *args, **kwargs):
        global STATE
        try:
            return function(*args, **kwargs)
        except:
            FAILURES.append(time.time())
            if len(FAILURES) > self.threshold:
                STATE = "open"
            return None


class Caller:
    """calls"""

    def __init__(self, service, attempts=4, base=0.1, **options):
        self.service = service
        self.attempts = attempts
        self.base = base
        self.retry = options.get("retryable")

    def call(self, *args, **kwargs):
        for i in range(self.attempts + 1):
            try:
                return self.service(args, kwargs)
            except Exception as e:
                if i == self.attempts:
                    raise RetriesExhaustedError(i)
                self.sleep(self.base * random.random())
