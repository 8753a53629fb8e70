import threading

import pytest

from limiter import RateLimiter


class Hall:
    def __init__(self, limit=2, period=8):
        self.now, self.slept = 4, []
        self.gate = RateLimiter(limit, period, lambda: self.now, self.sleep)

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds
        if len(self.slept) > 20:
            raise TimeoutError


def test_limit_and_end():
    hall = Hall()
    assert [hall.gate.try_acquire(1) for _ in range(3)] == [True, True, False]
    hall.now = 11.75
    assert hall.gate.available(1) == 0
    hall.now = 12
    assert hall.gate.available(1) == 2
    assert len(hall.gate) == 0


def test_units_leave_one_by_one():
    hall = Hall()
    hall.gate.try_acquire(1)
    hall.now = 6
    hall.gate.try_acquire(1)
    hall.now = 12
    assert [hall.gate.try_acquire(1) for _ in range(2)] == [True, False]
    assert len(hall.gate) == 1


def test_waiting_for_several():
    hall = Hall(limit=3)
    for _ in range(3):
        hall.gate.try_acquire(1)
        hall.now += 1
    assert hall.gate.retry_after(1) == 5
    assert hall.gate.retry_after(1, 2) == 6
    assert hall.gate.acquire(1, 2)
    assert hall.slept == [6]


def test_patience():
    hall = Hall(limit=1)
    assert hall.gate.acquire(1, timeout=0)
    assert not hall.gate.acquire(1, timeout=7)
    assert hall.slept == []
    assert hall.gate.acquire(1, timeout=8)
    assert hall.slept == [8]


def test_own_limits():
    hall = Hall()
    hall.gate.set_limit("vip", 5)
    assert hall.gate.try_acquire("vip", 5)
    hall.gate.set_limit("vip", None)
    assert hall.gate.available("vip") == 0
    with pytest.raises(ValueError):
        hall.gate.set_limit("vip", 0)


def test_refused_attempts_take_nothing():
    hall = Hall()
    for _ in range(5):
        hall.gate.try_acquire(1)
        hall.now += 1
    hall.now = 12
    assert hall.gate.available(1) == 1
    assert not hall.gate.try_acquire(1, 2)


@pytest.mark.parametrize(("cost", "error"), [(0, ValueError), (3, ValueError), (True, TypeError), (1.5, TypeError)])
def test_odd_costs(cost, error):
    hall = Hall()
    for call in (hall.gate.try_acquire, hall.gate.acquire, hall.gate.retry_after):
        with pytest.raises(error):
            call(1, cost)
    assert hall.gate.available(1) == 2


@pytest.mark.parametrize(
    ("period", "error"),
    [(0, ValueError), (-1, ValueError), (float("inf"), ValueError), (None, TypeError), (True, TypeError)],
)
def test_odd_periods(period, error):
    with pytest.raises(error):
        RateLimiter(1, period)


@pytest.mark.parametrize(("limit", "error"), [(0, ValueError), (-1, ValueError), ("1", TypeError), (True, TypeError)])
def test_odd_limits(limit, error):
    with pytest.raises(error):
        RateLimiter(limit, 1)
    with pytest.raises(error):
        Hall().gate.set_limit("vip", limit)


@pytest.mark.parametrize(
    ("timeout", "error"), [(-1, ValueError), (float("nan"), ValueError), ("1", TypeError), (True, TypeError)]
)
def test_odd_timeouts(timeout, error):
    with pytest.raises(error):
        Hall().gate.acquire(1, 1, timeout)


def test_keys_that_cannot_be_hashed():
    gate = Hall().gate
    for call in (gate.try_acquire, gate.acquire, gate.available, gate.retry_after):
        with pytest.raises(TypeError):
            call([])
    with pytest.raises(TypeError):
        gate.set_limit([], 1)


def test_many_at_once():
    gate, passed = Hall(limit=7).gate, []
    threads = [threading.Thread(target=lambda: passed.append(gate.try_acquire("x"))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert passed.count(True) == 7


def test_waking_early_again_and_again():
    hall = Hall()
    gate = RateLimiter(1, 8, lambda: hall.now, lambda seconds: hall.sleep(min(seconds, 3)))
    assert gate.acquire(1)
    assert gate.acquire(1, timeout=8)
    assert hall.slept == [3, 3, 2]


def test_a_smaller_limit_holds_at_once():
    hall = Hall(limit=3)
    hall.gate.try_acquire("vip", 3)
    hall.gate.set_limit("vip", 1)
    assert hall.gate.available("vip") == 0
    assert hall.gate.retry_after("vip") == 8


def test_times_below_zero_and_in_fractions():
    hall = Hall(limit=1, period=0.5)
    hall.now = -20
    assert [hall.gate.try_acquire(1), hall.gate.try_acquire(1)] == [True, False]
    hall.now = -19.5
    assert hall.gate.try_acquire(1)
