"""Promises of the limiter. Run them with: python -m pytest"""

from limiter import RateLimiter


def test_each_key_has_units_of_its_own():
    gate = RateLimiter(2, 10, clock=lambda: 0)
    assert [gate.try_acquire("ox") for _ in range(3)] == [True, True, False]
    assert gate.try_acquire("cart") is True
