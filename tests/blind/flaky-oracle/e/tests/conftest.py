import pytest


class Time:
    def __init__(self):
        self.now = 0
        self.pauses = []

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def fake_time():
    return Time()
