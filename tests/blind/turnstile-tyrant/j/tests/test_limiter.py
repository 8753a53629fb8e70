import pytest

from limiter import RateLimiter, alive, natural


def at(*times):
    """A clock that shows these times, and then the last for ever."""
    rest = list(times)
    return lambda: rest.pop(0) if len(rest) > 1 else rest[0]


def test_each_key_has_units_of_its_own():
    gate = RateLimiter(2, 10, clock=at(0))
    assert [gate.try_acquire("ox") for _ in range(3)] == [True, True, False]
    assert gate.try_acquire("cart") is True


def test_units_come_back():
    gate = RateLimiter(1, 10, clock=at(0, 9.75, 10))
    assert [gate.try_acquire("ox") for _ in range(3)] == [True, False, True]


def test_alive():
    assert alive({"a": ((5, 1), (7, 2)), "b": ((5, 1),)}, 5) == {"a": ((7, 2),)}


@pytest.mark.parametrize("wrong, error", [(True, TypeError), (1.0, TypeError), (0, ValueError)])
def test_natural(wrong, error):
    with pytest.raises(error):
        natural(wrong)


def test_acquire_waits():
    now = [0]
    gate = RateLimiter(1, 10, lambda: now[0], lambda s: now.__setitem__(0, now[0] + s))
    assert gate.acquire("ox") and gate.acquire("ox")
    assert now == [10]
