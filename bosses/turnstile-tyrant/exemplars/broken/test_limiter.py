from limiter import RateLimiter


def test_limit_of_one():
    limiter = RateLimiter(1, 60)
    assert limiter.try_acquire("x") is True
    assert limiter.try_acquire("x") is False


def test_available():
    assert RateLimiter(3, 60).available("y") == 3
