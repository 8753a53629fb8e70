import pytest

from limiter import RateLimiter


class Time:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now

    def sleep(self, s):
        self.now += s


@pytest.fixture
def t():
    return Time()


def test_basic(t):
    r = RateLimiter(2, 5, t, t.sleep)
    assert r.try_acquire("x")
    assert r.try_acquire("x")
    assert not r.try_acquire("x")
    assert r.available("x") == 0
    assert r.available("y") == 2


def test_window_slides(t):
    r = RateLimiter(2, 5, t, t.sleep)
    r.try_acquire("x")
    t.now = 3
    r.try_acquire("x")
    t.now = 5
    assert r.available("x") == 1
    assert r.retry_after("x", 2) == 3


def test_acquire_waits(t):
    r = RateLimiter(1, 5, t, t.sleep)
    assert r.acquire("x")
    assert r.acquire("x")
    assert t.now == 5


def test_acquire_timeout(t):
    r = RateLimiter(1, 5, t, t.sleep)
    r.acquire("x")
    assert r.acquire("x", timeout=2) is False
    assert t.now == 0


def test_forgets(t):
    r = RateLimiter(1, 5, t, t.sleep)
    r.try_acquire("x")
    assert len(r) == 1
    t.now = 6
    assert len(r) == 0


@pytest.mark.parametrize("limit", [0, -1])
def test_bad_limit(limit):
    with pytest.raises(ValueError):
        RateLimiter(limit, 1)
