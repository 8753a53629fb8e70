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


@pytest.mark.parametrize("cost", [0, 3, True, 1.5])
def test_odd_costs(cost):
    hall = Hall()
    with pytest.raises((TypeError, ValueError)):
        hall.gate.acquire(1, cost)
    with pytest.raises((TypeError, ValueError)):
        hall.gate.retry_after(1, cost)
    assert hall.gate.available(1) == 2


@pytest.mark.parametrize("period", [0, -1, float("inf"), None])
def test_odd_periods(period):
    with pytest.raises((TypeError, ValueError)):
        RateLimiter(1, period)


@pytest.mark.parametrize("limit", [0, -1, "1"])
def test_odd_limits(limit):
    with pytest.raises((TypeError, ValueError)):
        RateLimiter(limit, 1)


def test_odd_timeouts():
    for timeout in (-1, float("nan"), "1"):
        with pytest.raises((TypeError, ValueError)):
            Hall().gate.acquire(1, 1, timeout)


def test_many_at_once():
    gate, passed = Hall(limit=7).gate, []
    threads = [threading.Thread(target=lambda: passed.append(gate.try_acquire("x"))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert passed.count(True) == 7
