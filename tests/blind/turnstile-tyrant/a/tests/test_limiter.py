"""Tests of the limiter."""

import threading

import pytest

from limiter import RateLimiter


class FakeTime:
    """A clock and a sleep."""

    def __init__(self):
        """Start at 0."""
        self.now = 0

    def clock(self):
        """Tell the time."""
        return self.now

    def sleep(self, seconds):
        """Move the time."""
        self.now += seconds


@pytest.fixture
def fake():
    """A fake time."""
    return FakeTime()


@pytest.fixture
def limiter(fake):
    """A limiter of two units in ten seconds."""
    return RateLimiter(2, 10, fake.clock, fake.sleep)


def test_create(limiter):
    """A limiter can be created."""
    assert limiter is not None


def test_create_with_defaults():
    """Clock and sleep can be left out."""
    assert RateLimiter(1, 1) is not None


def test_first_call(limiter):
    """The first call is let through."""
    assert limiter.try_acquire("a")


def test_third_call(limiter):
    """The third call is not let through."""
    limiter.try_acquire("a")
    limiter.try_acquire("a")
    assert not limiter.try_acquire("a")


def test_returns_bool(limiter):
    """try_acquire returns a bool."""
    assert isinstance(limiter.try_acquire("a"), bool)


@pytest.mark.parametrize("key", ["a", 1, None, (1, 2), frozenset(), 1.5, b"a"])
def test_keys(limiter, key):
    """All sorts of keys can be used."""
    assert limiter.try_acquire(key)


def test_available_is_int(limiter):
    """available returns an int."""
    assert isinstance(limiter.available("a"), int)


def test_available_not_negative(limiter):
    """available is never negative."""
    for _ in range(5):
        limiter.try_acquire("a")
        assert limiter.available("a") >= 0


def test_units_are_free_later(limiter, fake):
    """Units are free again after the period."""
    limiter.try_acquire("a", 2)
    fake.now = 11
    assert limiter.try_acquire("a", 2)


def test_units_are_in_use_for_the_period(limiter, fake):
    """Units are in use during the whole period, up to its last instant."""
    limiter.try_acquire("a", 2)
    fake.now = 10
    assert not limiter.try_acquire("a")


def test_len(limiter):
    """len counts keys."""
    limiter.try_acquire("a")
    assert len(limiter) > 0


def test_retry_after(limiter):
    """retry_after is positive if nothing is free."""
    limiter.try_acquire("a", 2)
    assert limiter.retry_after("a") > 0


def test_retry_after_free(limiter):
    """retry_after is 0 if something is free."""
    assert limiter.retry_after("a") == 0


def test_acquire(limiter):
    """acquire works."""
    assert limiter.acquire("a")


def test_acquire_waits(limiter, fake):
    """acquire waits."""
    for _ in range(5):
        assert limiter.acquire("a")
    assert fake.now > 0


def test_acquire_timeout(limiter):
    """acquire gives up."""
    limiter.acquire("a", 2)
    assert not limiter.acquire("a", timeout=1)


def test_sleep_that_fails_once(fake):
    """A failing sleep does not bring down acquire."""
    calls = []

    def sleep(seconds):
        calls.append(seconds)
        fake.now += 20
        raise OSError("interrupted")

    limiter = RateLimiter(1, 10, fake.clock, sleep)
    limiter.acquire("a")
    assert limiter.acquire("a")


def test_set_limit(limiter):
    """set_limit returns None."""
    assert limiter.set_limit("a", 5) is None
    assert limiter.set_limit("a", None) is None


def test_set_limit_is_used(limiter):
    """The limit of a key is used."""
    limiter.set_limit("a", 5)
    assert limiter.available("a") == 5


@pytest.mark.parametrize("limit", ["1", 1.5, None, True])
def test_bad_limit(limit):
    """A limit must be an int."""
    with pytest.raises(Exception):
        RateLimiter(limit, 1)


def test_threads(limiter):
    """Threads can use the limiter."""
    threads = [threading.Thread(target=limiter.try_acquire, args=("a",)) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert True
