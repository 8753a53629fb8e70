"""How the limiter behaves."""

import pytest

from limiter import RateLimiter


class Time:
    """A clock to be moved by hand, or by sleeping."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def gate(time: Time) -> RateLimiter:
    return RateLimiter(2, 10, time, time.sleep)


def test_two_units_pass(gate: RateLimiter) -> None:
    assert [gate.try_acquire("a") for _ in range(3)] == [True, True, False]


def test_a_unit_counts_up_to_and_at_its_end(gate: RateLimiter, time: Time) -> None:
    gate.try_acquire("a", 2)
    time.now = 10
    assert gate.available("a") == 0
    time.now = 10.25
    assert gate.available("a") == 2


def test_waiting_polls_until_a_unit_is_free(gate: RateLimiter, time: Time) -> None:
    gate.try_acquire("a", 2)
    assert gate.acquire("a")
    assert time.now == 10.25


def test_waiting_gives_up(gate: RateLimiter, time: Time) -> None:
    gate.try_acquire("a", 2)
    assert not gate.acquire("a", timeout=5)
    assert time.now == 5


def test_a_limit_of_its_own(gate: RateLimiter) -> None:
    gate.set_limit("a", 4)
    assert gate.available("a") == 4
    gate.set_limit("a", None)
    assert gate.available("a") == 2


@pytest.mark.parametrize("cost", [0, -1, 3])
def test_a_senseless_cost_is_refused(gate: RateLimiter, cost: int) -> None:
    with pytest.raises(ValueError, match="cost"):
        gate.try_acquire("a", cost)


def test_a_senseless_limiter_is_refused() -> None:
    with pytest.raises(TypeError):
        RateLimiter("2", 10)
    with pytest.raises(ValueError, match="period"):
        RateLimiter(2, 0)
