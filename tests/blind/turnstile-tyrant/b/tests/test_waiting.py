import threading

import pytest

from limiter import RateLimiter


def test_sleeps_exactly(make, fake):
    gate = make()
    gate.try_acquire("ox")
    fake.now += 2
    gate.try_acquire("ox")
    assert gate.acquire("ox", 2)
    assert fake.sleeps == [10]


def test_timeout(make, fake):
    gate = make(1)
    gate.try_acquire("ox")
    assert gate.acquire("ox", timeout=9.75) is False
    assert fake.sleeps == []
    assert gate.acquire("ox", timeout=10) is True
    assert fake.sleeps == [10]


@pytest.mark.parametrize("timeout, error", [(-1, ValueError), (float("nan"), ValueError), ("1", TypeError), (True, TypeError)])
def test_timeouts_are_refused(make, timeout, error):
    with pytest.raises(error):
        make().acquire("ox", timeout=timeout)


def test_error_in_sleep_takes_nothing(fake):
    def sleep(seconds):
        raise RuntimeError

    gate = RateLimiter(1, 10, fake.clock, sleep)
    gate.try_acquire("ox")
    with pytest.raises(RuntimeError):
        gate.acquire("ox")
    fake.now += 10
    assert gate.available("ox") == 1


def test_crowd(make):
    gate = make(7)
    barrier = threading.Barrier(20)
    passed = []

    def run():
        barrier.wait()
        if gate.try_acquire("ox"):
            passed.append(1)

    threads = [threading.Thread(target=run) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 7
