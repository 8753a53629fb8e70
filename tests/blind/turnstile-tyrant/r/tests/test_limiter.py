import pytest

from limiter import RateLimiter


def gate(limit=2, period=10):
    now = [0]

    def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    slept = []
    return RateLimiter(limit, period, clock=lambda: now[0], sleep=sleep), now, slept


def test_each_key_has_units_of_its_own():
    limiter, _, _ = gate()
    assert [limiter.try_acquire("ox") for _ in range(3)] == [True, True, False]
    assert limiter.try_acquire("cart") is True
    assert len(limiter) == 2


def test_free_again_after_exactly_one_period():
    limiter, now, _ = gate(1)
    assert limiter.try_acquire("ox")
    now[0] = 9.75
    assert not limiter.try_acquire("ox")
    now[0] = 10
    assert limiter.try_acquire("ox")


def test_waiting():
    limiter, now, slept = gate(1)
    assert limiter.acquire("ox")
    assert limiter.acquire("ox", timeout=10)
    assert slept == [10]
    assert limiter.acquire("ox", timeout=9.75) is False
    assert slept == [10]


def test_a_cost_above_the_limit():
    with pytest.raises(ValueError):
        gate()[0].try_acquire("ox", 3)
