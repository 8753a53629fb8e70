import threading

import pytest

from limiter import RateLimiter


class Bench:
    """A clock, a sleep that moves it, and limiters that use both."""

    def __init__(self):
        self.now = -20
        self.slept = []
        self.during_sleep = lambda: None

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds
        self.during_sleep()

    def gate(self, limit=3, period=8):
        return RateLimiter(limit, period, self.clock, self.sleep)


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture
def gate(bench):
    return bench.gate()


@pytest.fixture
def at_once():
    """Run a function in many threads that a barrier lets go; what came back or was raised."""
    def run(count, work):
        barrier = threading.Barrier(count)
        results = [None] * count

        def one(number):
            barrier.wait(5)
            try:
                results[number] = work()
            except BaseException as error:
                results[number] = error

        threads = [threading.Thread(target=one, args=(number,), daemon=True) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
        return results
    return run
