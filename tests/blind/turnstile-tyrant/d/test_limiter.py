import gc
import threading
import time
import weakref

import pytest

from limiter import RateLimiter


class Time:
    """A clock that only its sleep moves."""

    def __init__(self, now=0):
        self.now = now
        self.slept = []

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def t():
    return Time(-7.5)


@pytest.fixture
def gate(t):
    return RateLimiter(3, 10, clock=t.clock, sleep=t.sleep)


def crowd(count, work):
    barrier, results = threading.Barrier(count), []

    def run():
        barrier.wait()
        try:
            results.append(work())
        except Exception as error:
            results.append(error)

    threads = [threading.Thread(target=run, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    return results


def test_window_slides_and_ends_at_t_plus_period(gate, t):
    assert gate.try_acquire("a")
    t.now += 4
    assert gate.try_acquire("a", 2)
    assert not gate.try_acquire("a")
    t.now += 5.75
    assert gate.available("a") == 0 and not gate.try_acquire("a")
    t.now += 0.25
    assert gate.available("a") == 1 and not gate.try_acquire("a", 2)
    assert gate.try_acquire("a") and not gate.try_acquire("a")
    t.now += 4
    assert gate.available("a") == 2 and gate.available("b") == 3


def test_len_counts_keys_in_use(gate, t):
    gate.available("z"), gate.retry_after("z"), gate.set_limit("z", 1)
    assert len(gate) == 0
    gate.try_acquire(1), gate.try_acquire(1.0), gate.try_acquire("b", 3)
    assert len(gate) == 2 and gate.available(1) == 1
    t.now += 10
    assert len(gate) == 0


def test_own_limits(gate, t):
    gate.try_acquire("a", 3)
    assert gate.set_limit("a", 1) is None
    assert gate.available("a") == 0 and gate.retry_after("a") == 10
    gate.set_limit("a", 5)
    assert gate.try_acquire("a", 2) and gate.available("a") == 0
    gate.set_limit("a", None)
    assert gate.available("a") == 0
    with pytest.raises(ValueError):
        gate.try_acquire("a", 4)


def test_lowered_limit_waits_for_enough(gate, t):
    for _ in range(3):
        gate.try_acquire("a")
        t.now += 1
    gate.set_limit("a", 1)
    assert gate.retry_after("a") == 9
    assert gate.acquire("a") and t.slept == [9]


def test_acquire_sleeps_once_until_the_whole_cost_is_free(gate, t):
    for _ in range(3):
        gate.try_acquire("a")
        t.now += 1
    assert gate.retry_after("a", 2) == 8
    assert gate.acquire("a", 2) is True
    assert t.slept == [8]
    assert gate.acquire("b") and t.slept == [8]


def test_timeout_holds_to_the_instant(gate, t):
    gate.try_acquire("a", 3)
    assert gate.acquire("a", timeout=9.75) is False
    assert gate.acquire("a", timeout=0) is False
    assert t.slept == []
    assert gate.acquire("a", timeout=10) is True
    assert gate.acquire("b", timeout=0) is True


def test_early_and_late_sleeps_and_quicker_others(t):
    jumps = iter([4, 6, 3, 30])

    def sleep(seconds):
        t.slept.append(seconds)
        t.now += next(jumps)
        if t.slept == [10, 6]:
            assert gate.try_acquire("a")

    gate = RateLimiter(1, 10, t.clock, sleep)
    gate.try_acquire("a")
    assert gate.acquire("a", timeout=25) is True
    assert t.slept == [10, 6, 10, 7]


def test_timeout_counts_from_the_start(t):
    def sleep(seconds):
        t.sleep(seconds)
        gate.try_acquire("a")

    gate = RateLimiter(1, 10, t.clock, sleep)
    gate.try_acquire("a")
    assert gate.acquire("a", timeout=25) is False
    assert t.slept == [10, 10]


def test_a_failing_sleep_takes_nothing(t):
    def sleep(seconds):
        raise KeyboardInterrupt

    gate = RateLimiter(2, 10, t.clock, sleep)
    gate.try_acquire("a", 1)
    with pytest.raises(KeyboardInterrupt):
        gate.acquire("a", 2)
    assert gate.available("a") == 1


@pytest.mark.parametrize("limit, period, error", [
    (1.0, 1, TypeError), (True, 1, TypeError), (None, 1, TypeError), (0, 1, ValueError), (1, "1", TypeError),
    (1, True, TypeError), (1, 0, ValueError), (1, -1, ValueError), (1, float("nan"), ValueError), (1, float("inf"), ValueError)])
def test_bad_limiters(limit, period, error):
    with pytest.raises(error):
        RateLimiter(limit, period)


@pytest.mark.parametrize("method", ["try_acquire", "acquire", "retry_after"])
@pytest.mark.parametrize("cost, error", [(1.0, TypeError), (True, TypeError), (0, ValueError), (-1, ValueError), (4, ValueError)])
def test_bad_costs(gate, method, cost, error):
    with pytest.raises(error):
        getattr(gate, method)("a", cost)
    assert gate.available("a") == 3


@pytest.mark.parametrize("timeout, error", [
    ("1", TypeError), (False, TypeError), (-0.25, ValueError), (float("nan"), ValueError), (float("inf"), ValueError)])
def test_bad_timeouts(gate, timeout, error):
    with pytest.raises(error):
        gate.acquire("a", timeout=timeout)
    assert gate.available("a") == 3


def test_other_refusals(gate):
    for limit, error in [(0, ValueError), (1.5, TypeError), (True, TypeError)]:
        with pytest.raises(error):
            gate.set_limit("a", limit)
    for call in (gate.try_acquire, gate.acquire, gate.available, gate.retry_after, lambda k: gate.set_limit(k, 1)):
        with pytest.raises(TypeError):
            call([])


def test_a_crowd_gets_the_limit():
    for _ in range(30):
        gate = RateLimiter(5, 10, clock=lambda: time.sleep(0.0002) or 0)
        results = crowd(12, lambda: gate.try_acquire("a"))
        assert sorted(results) == [False] * 7 + [True] * 5


def test_nobody_waits_for_a_sleeper(t):
    asleep, wake = threading.Event(), threading.Event()

    def sleep(seconds):
        asleep.set()
        wake.wait(5)
        t.sleep(seconds)

    gate = RateLimiter(1, 10, t.clock, sleep)
    gate.try_acquire("a")
    sleeper = threading.Thread(target=gate.acquire, args=("a",), daemon=True)
    sleeper.start()
    assert asleep.wait(5)
    done = crowd(1, lambda: (gate.try_acquire("b"), gate.try_acquire("a"), gate.available("a"), len(gate)))
    assert done == [(True, False, 0, 2)]
    wake.set()
    sleeper.join(5)
    assert not sleeper.is_alive()


def test_used_up_keys_are_let_go(gate, t):
    class Key:
        pass

    key = Key()
    gone = weakref.ref(key)
    gate.try_acquire(key)
    t.now += 10
    gate.try_acquire("other")
    del key
    gc.collect()
    assert gone() is None


def test_many_calls_are_cheap(t):
    gate = RateLimiter(10_000, 10, t.clock)
    for number in range(10_000):
        gate.try_acquire(number), gate.try_acquire("one")
    start = time.process_time()
    for _ in range(30_000):
        gate.try_acquire("one")
    assert time.process_time() - start < 1
