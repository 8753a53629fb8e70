from limiter import RateLimiter


def test_limit():
    limiter = RateLimiter(2, 10, lambda: 0)
    assert limiter.try_acquire("a")
    assert limiter.try_acquire("a")
    assert not limiter.try_acquire("a")


def test_window():
    now = [0]
    limiter = RateLimiter(1, 10, lambda: now[0])
    assert limiter.try_acquire("a")
    now[0] = 10
    assert limiter.try_acquire("a")


def test_other_key():
    limiter = RateLimiter(1, 10, lambda: 0)
    limiter.try_acquire("a")
    assert limiter.available("a") == 0
    assert limiter.available("b") == 1
