import math

import pytest

from limiter import RateLimiter


def test_limit_and_window(make, fake):
    gate = make()
    assert [gate.try_acquire("ox") for _ in range(3)] == [True, True, False]
    fake.now = 109.75
    assert gate.try_acquire("ox") is False
    fake.now = 110
    assert gate.try_acquire("ox", 2) is True


def test_it_slides(make, fake):
    gate = make()
    gate.try_acquire("ox")
    fake.now = 105
    gate.try_acquire("ox")
    fake.now = 110
    assert gate.available("ox") == 1
    assert [gate.try_acquire("ox"), gate.try_acquire("ox")] == [True, False]


def test_costs(make):
    gate = make(5)
    assert gate.try_acquire("ox", 3)
    assert not gate.try_acquire("ox", 3)
    assert gate.try_acquire("ox", cost=2)


def test_own_limits(make, fake):
    gate = make()
    gate.set_limit("ox", 4)
    assert gate.available("ox") == 4 and gate.available("cart") == 2
    gate.try_acquire("ox", 4)
    gate.set_limit("ox", None)
    assert gate.available("ox") == 0
    assert gate.retry_after("ox") == 10


def test_len(make, fake):
    gate = make()
    gate.available("nobody")
    gate.retry_after("nobody")
    assert len(gate) == 0
    gate.try_acquire("ox")
    gate.try_acquire("cart")
    assert len(gate) == 2
    fake.now += 10
    assert len(gate) == 0


@pytest.mark.parametrize("limit, period, error", [
    (0, 1, ValueError), (1.5, 1, TypeError), (True, 1, TypeError), (1, 0, ValueError), (1, -1, ValueError),
    (1, math.nan, ValueError), (1, math.inf, ValueError), (1, "1", TypeError), (1, False, TypeError),
])
def test_constructor_refuses(limit, period, error):
    with pytest.raises(error):
        RateLimiter(limit, period)


@pytest.mark.parametrize("cost, error", [(0, ValueError), (3, ValueError), (1.0, TypeError), (True, TypeError), ("1", TypeError)])
def test_costs_are_refused(make, cost, error):
    gate = make()
    for method in gate.try_acquire, gate.acquire, gate.retry_after:
        with pytest.raises(error):
            method("ox", cost)
    assert gate.available("ox") == 2


def test_unhashable(make):
    gate = make()
    for call in gate.try_acquire, gate.acquire, gate.available, gate.retry_after:
        with pytest.raises(TypeError):
            call({})
