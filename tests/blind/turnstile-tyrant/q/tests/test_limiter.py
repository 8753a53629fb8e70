"""
Tests of the rate limiter.
"""

import threading

import pytest

from limiter import RateLimiter


class Clock:
    """A clock that only moves when it is told to."""

    def __init__(self):
        """Begin at 100."""
        self.now = 100

    def __call__(self):
        """Return the time."""
        return self.now

    def sleep(self, seconds):
        """Move the time."""
        self.now += seconds


@pytest.fixture
def clock():
    """A new clock."""
    return Clock()


@pytest.fixture
def limiter(clock):
    """A limiter of three units in ten seconds."""
    return RateLimiter(3, 10, clock, clock.sleep)


class TestTryAcquire:
    """Tests of try_acquire."""

    def test_returns_true(self, limiter):
        """The first call is let through."""
        assert limiter.try_acquire("a") is True

    def test_returns_false_in_the_end(self, limiter):
        """Some call is not let through."""
        assert False in [limiter.try_acquire("a") for _ in range(10)]

    @pytest.mark.parametrize("cost", [1, 2, 3])
    def test_cost(self, limiter, cost):
        """Any cost up to the limit is let through."""
        assert limiter.try_acquire("a", cost)

    @pytest.mark.parametrize("key", ["a", 1, None, ("a", 1), b"a", frozenset()])
    def test_keys(self, limiter, key):
        """Any key will do."""
        assert isinstance(limiter.try_acquire(key), bool)

    def test_after_a_long_time(self, limiter, clock):
        """Units become free again."""
        limiter.try_acquire("a", 3)
        clock.now += 1000
        assert limiter.try_acquire("a", 3)


class TestAcquire:
    """Tests of acquire."""

    def test_returns_true(self, limiter):
        """Free units are taken."""
        assert limiter.acquire("a")

    def test_waits(self, limiter, clock):
        """Time passes when no units are free."""
        limiter.acquire("a", 3)
        assert limiter.acquire("a")
        assert clock.now > 100

    def test_timeout(self, limiter):
        """It gives up."""
        limiter.acquire("a", 3)
        assert not limiter.acquire("a", timeout=1)


class TestOthers:
    """Tests of the other methods."""

    def test_available(self, limiter):
        """The number of free units is not negative."""
        assert limiter.available("a") >= 0

    def test_available_gets_less(self, limiter):
        """It gets less when units are taken."""
        before = limiter.available("a")
        limiter.try_acquire("a")
        assert limiter.available("a") < before

    def test_retry_after(self, limiter):
        """It is a number."""
        limiter.try_acquire("a", 3)
        assert limiter.retry_after("a") > 0

    def test_len(self, limiter):
        """It counts keys."""
        limiter.try_acquire("a")
        limiter.try_acquire("b")
        assert len(limiter) == 2

    def test_set_limit(self, limiter):
        """Another limit can be set and taken away."""
        assert limiter.set_limit("a", 5) is None
        assert limiter.available("a") == 5
        assert limiter.set_limit("a", None) is None

    def test_threads(self, limiter):
        """Threads can use it."""
        threads = [threading.Thread(target=limiter.try_acquire, args=("a",)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not any(thread.is_alive() for thread in threads)


class TestErrors:
    """Tests of refusals."""

    @pytest.mark.parametrize("limit", [0, -1, "x", None, 1.5])
    def test_limit(self, limit):
        """Bad limits are refused."""
        with pytest.raises((TypeError, ValueError)):
            RateLimiter(limit, 10)

    @pytest.mark.parametrize("period", [0, -1, "x", None])
    def test_period(self, period):
        """Bad periods are refused."""
        with pytest.raises((TypeError, ValueError)):
            RateLimiter(1, period)

    @pytest.mark.parametrize("cost", [0, -1, 4, "x"])
    def test_cost(self, limiter, cost):
        """Bad costs are refused."""
        with pytest.raises((TypeError, ValueError)):
            limiter.try_acquire("a", cost)
