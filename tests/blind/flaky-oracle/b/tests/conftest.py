"""A world without real time."""

import pytest

from oracle import Breaker, Caller


class World:
    """Clock, sleep and chance; everything that happened is in the log."""

    def __init__(self):
        self.now = 1000.0
        self.pauses = []
        self.chances = []
        self.drawn = 0
        self.oversleep = 0

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds + self.oversleep

    def random(self):
        self.drawn += 1
        return self.chances.pop(0) if self.chances else 0.0

    def caller(self, service, **settings):
        settings = {"base": 1, "jitter": 0, **settings}
        return Caller(service, clock=self.clock, sleep=self.sleep, random=self.random, **settings)

    def breaker(self, threshold=2, cooldown=10, **settings):
        return Breaker(threshold, cooldown, clock=self.clock, **settings)


class Script:
    """A service that gives or raises what it was told, in order."""

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.asked = 0

    def __call__(self, *args, **kwargs):
        self.asked += 1
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


@pytest.fixture
def world():
    return World()


@pytest.fixture
def script():
    return Script
