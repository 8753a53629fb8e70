"""Promises of the limiter. Run them with: python -m pytest"""

from limiter import RateLimiter


def test_each_key_has_units_of_its_own():
    gate = RateLimiter(2, 10, clock=lambda: 0)
    assert [gate.try_acquire("ox") for _ in range(3)] == [True, True, False]
    assert gate.try_acquire("cart") is True


def test_costs():
    gate = RateLimiter(5, 10, clock=lambda: 0)
    assert gate.try_acquire("ox", 3)
    assert not gate.try_acquire("ox", 3)
    assert gate.available("ox") == 2


def test_units_come_back():
    now = 0
    gate = RateLimiter(1, 10, clock=lambda: now)
    gate.try_acquire("ox")
    now = 10
    assert gate.try_acquire("ox")
