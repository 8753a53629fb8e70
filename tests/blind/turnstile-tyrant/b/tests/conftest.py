import pytest

from limiter import RateLimiter


class FakeTime:
    def __init__(self):
        self.now = 100.0
        self.sleeps = []

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.sleeps.append(seconds)
        self.now += seconds


@pytest.fixture
def fake():
    return FakeTime()


@pytest.fixture
def make(fake):
    def build(limit=2, period=10):
        return RateLimiter(limit, period, clock=fake.clock, sleep=fake.sleep)
    return build
