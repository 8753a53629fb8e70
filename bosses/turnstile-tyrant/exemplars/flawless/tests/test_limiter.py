"""Promises of the limiter."""

import gc
import random
import threading
import time
import weakref

import pytest

from limiter import RateLimiter


class World:
    """A clock, and a sleep that moves it and is noted."""

    def __init__(self):
        self.now = 50.0
        self.slept = []
        self.then = lambda: None

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds
        assert len(self.slept) < 50
        self.then()


@pytest.fixture
def world():
    return World()


def make(world, limit=3, period=10):
    return RateLimiter(limit, period, world.clock, world.sleep)


def tries(gate, key, count):
    return [gate.try_acquire(key) for _ in range(count)]


class TestCounting:
    def test_the_limit_and_no_more(self, world):
        gate = make(world)
        assert tries(gate, "a", 4) == [True, True, True, False]
        assert tries(gate, "b", 1) == [True]

    def test_both_sides_of_the_end(self, world):
        gate = make(world, limit=1)
        assert tries(gate, "a", 2) == [True, False]
        world.now = 59.75
        assert not gate.try_acquire("a")
        world.now = 60.0
        assert tries(gate, "a", 2) == [True, False]

    def test_time_may_begin_below_zero(self, world):
        world.now = -10.0
        gate = make(world, limit=1)
        assert tries(gate, "a", 2) == [True, False]
        world.now = -0.25
        assert not gate.try_acquire("a")
        world.now = 0.0
        assert tries(gate, "a", 2) == [True, False]

    def test_a_period_may_be_short(self, world):
        gate = make(world, limit=1, period=0.25)
        assert tries(gate, "a", 2) == [True, False]
        world.now += 0.25
        assert gate.try_acquire("a")

    def test_keys_are_the_same_when_a_dict_says_so(self, world):
        gate = make(world, limit=1)
        assert [gate.try_acquire(key) for key in (1, "1", -1, -2, (1,), 1.0)] == [True] * 5 + [False]
        assert len(gate) == 5

    def test_costs_are_taken_whole_or_not_at_all(self, world):
        gate = make(world, limit=5)
        assert gate.try_acquire("a", 3)
        assert not gate.try_acquire("a", 3)
        assert gate.available("a") == 2
        assert gate.try_acquire("a", 2)
        assert gate.available("a") == 0

    def test_a_limit_of_its_own(self, world):
        gate = make(world)
        gate.set_limit("a", 5)
        assert tries(gate, "a", 6) == [True] * 5 + [False]
        gate.set_limit("a", 7)
        assert gate.available("a") == 2
        gate.set_limit("a", 2)
        assert gate.available("a") == 0
        gate.set_limit("a", None)
        world.now = 60.0
        assert gate.available("a") == 3

    def test_a_cost_up_to_a_limit_of_its_own(self, world):
        gate = make(world)
        gate.set_limit("a", 5)
        assert gate.retry_after("a", 5) == 0
        assert gate.try_acquire("a", 5)
        assert gate.acquire("a", 5)
        assert world.slept == [10]

    def test_len_counts_keys_in_use(self, world):
        gate = make(world)
        gate.available("c")
        tries(gate, "a", 2)
        world.now = 55.0
        tries(gate, "b", 1)
        assert len(gate) == 2
        world.now = 60.0
        assert len(gate) == 1


class TestWaiting:
    def test_free_units_need_no_sleep(self, world):
        assert make(world).acquire("a") is True
        assert world.slept == []

    def test_one_sleep_until_the_whole_cost_is_free(self, world):
        gate = make(world)
        for _ in range(3):
            gate.try_acquire("a")
            world.now += 2
        assert gate.retry_after("a", 2) == 6
        assert gate.acquire("a", 2) is True
        assert world.slept == [6]
        assert gate.available("a") == 0

    def test_a_wait_is_foretold_to_the_fraction(self, world):
        gate = make(world, limit=1)
        assert gate.retry_after("a") == 0
        gate.try_acquire("a")
        world.now += 2.75
        assert gate.retry_after("a") == 7.25

    def test_an_early_return_is_followed_by_the_rest(self, world):
        gate = RateLimiter(1, 10, world.clock, lambda seconds: world.sleep(min(seconds, 4)))
        gate.try_acquire("a")
        assert gate.acquire("a", timeout=10) is True
        assert world.slept == [4, 4, 2]

    def test_a_late_return_finds_the_units_free(self, world):
        gate = RateLimiter(1, 10, world.clock, lambda seconds: world.sleep(seconds + 5))
        gate.try_acquire("a")
        assert gate.acquire("a", timeout=10) is True
        assert world.now == 65

    def test_the_last_instant_is_in_time(self, world):
        gate = make(world, limit=1)
        gate.try_acquire("a")
        assert gate.acquire("a", timeout=9.75) is False
        assert gate.acquire("a", timeout=0) is False
        assert world.slept == []
        assert gate.acquire("a", timeout=10) is True

    def test_others_were_quicker(self, world):
        gate = make(world, limit=1)
        gate.try_acquire("a")
        world.then = lambda: gate.try_acquire("a")
        assert gate.acquire("a", timeout=25) is False
        assert world.slept == [10, 10]

    def test_a_failing_sleep_takes_nothing(self, world):
        def broken(seconds):
            raise InterruptedError

        gate = RateLimiter(1, 10, world.clock, broken)
        gate.try_acquire("a")
        with pytest.raises(InterruptedError):
            gate.acquire("a")
        world.now = 60.0
        assert gate.available("a") == 1

    def test_nothing_to_wait_for(self, world):
        assert make(world).retry_after("a", 3) == 0


class TestRefusals:
    @pytest.mark.parametrize("limit", [1.0, "1", None, True])
    def test_a_limit_is_an_int(self, limit):
        with pytest.raises(TypeError):
            RateLimiter(limit, 1)

    @pytest.mark.parametrize("period", [0, -1, float("nan"), float("inf")])
    def test_a_period_is_finite_and_positive(self, period):
        with pytest.raises(ValueError, match="period"):
            RateLimiter(1, period)

    @pytest.mark.parametrize("cost", [0, -1, 4])
    def test_a_cost_that_can_never_pass(self, world, cost):
        gate = make(world)
        for call in (gate.try_acquire, gate.acquire, gate.retry_after):
            with pytest.raises(ValueError, match="cost"):
                call("a", cost)
        assert len(gate) == 0

    @pytest.mark.parametrize(
        ("timeout", "error"), [(-1, ValueError), (float("inf"), ValueError), ("5", TypeError), (True, TypeError)]
    )
    def test_a_timeout_is_a_number(self, world, timeout, error):
        gate = make(world)
        with pytest.raises(error):
            gate.acquire("a", 1, timeout)
        assert gate.available("a") == 3

    def test_a_limit_of_its_own_is_positive(self, world):
        gate = make(world)
        with pytest.raises(ValueError, match="limit"):
            gate.set_limit("a", 0)
        assert gate.available("a") == 3

    def test_a_key_is_hashable(self, world):
        gate = make(world)
        for call in (gate.try_acquire, gate.acquire, gate.available, gate.retry_after):
            with pytest.raises(TypeError):
                call([])
        with pytest.raises(TypeError):
            gate.set_limit([], None)


class Drowsy:
    """A key at which threads change whenever a dict looks at it."""

    def __hash__(self):
        time.sleep(0.0005)
        return 7


def together(count, work):
    """What so many threads get that do the same at once; what they raise is among it."""
    got, start = [], threading.Barrier(count)

    def come():
        start.wait()
        try:
            got.append(work())
        except Exception as error:
            got.append(error)

    threads = [threading.Thread(target=come, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    return got


class TestThreads:
    def test_a_crowd_gets_the_limit_together(self, world):
        gate, key = make(world, limit=5), Drowsy()
        for _ in range(2):
            assert sum(together(6, lambda: tries(gate, key, 2).count(True))) == 5
            assert gate.available(key) == 0
            world.now += 10

    def test_those_who_ask_at_once_get_the_same_answer(self, world):
        gate = make(world)
        keys = [Drowsy() for _ in range(3)]
        for _ in range(3):
            for key in keys:
                gate.try_acquire(key)
            world.now += 10
            assert together(4, lambda: (len(gate), gate.available(keys[0]))) == [(0, 3)] * 4

    def test_a_call_that_is_overtaken_takes_nothing_twice(self, world):
        def clock():
            shown = world.now
            if threading.current_thread() is slow and shown < 70:
                world.now = 70.0
                fast.start()
                fast.join(0.25)
            return shown

        gate, passed = RateLimiter(2, 10, clock), []
        slow, fast = (threading.Thread(target=lambda: passed.append(gate.try_acquire("a"))) for _ in range(2))
        tries(gate, "a", 2)
        slow.start()
        slow.join()
        fast.join()
        assert (passed + tries(gate, "a", 2)).count(True) == 2

    def test_a_sleeper_lets_others_pass(self, world):
        gate, answers = make(world, limit=1), []

        def pass_by():
            answers.extend([gate.try_acquire("b"), gate.acquire("c"), gate.available("b")])

        def others():
            thread = threading.Thread(target=pass_by, daemon=True)
            thread.start()
            thread.join(1)

        world.then = others
        gate.try_acquire("a")
        assert gate.acquire("a") is True
        assert answers == [True, True, 0]

    def test_of_those_who_wake_at_once_one_gets_the_unit(self, world):
        def move_on():
            world.now += 10

        def drowsy_clock():
            time.sleep(0.0005)
            return world.now

        all_asleep = threading.Barrier(4, move_on)
        gate, key = RateLimiter(1, 10, drowsy_clock, lambda seconds: all_asleep.wait(5)), Drowsy()
        for _ in range(5):
            gate.try_acquire(key)
            assert together(4, lambda: gate.acquire(key, timeout=10)).count(True) == 1
            world.now += 10


class Visitor:
    pass


def test_idle_keys_are_forgotten(world):
    gate, visitor = make(world), Visitor()
    gate.try_acquire(visitor)
    watched = weakref.ref(visitor)
    del visitor
    world.now = 60.0
    gate.try_acquire("somebody else")
    gc.collect()
    assert watched() is None


def test_a_limit_taken_away_leaves_no_trace(world):
    gate, visitor = make(world), Visitor()
    gate.set_limit(visitor, 5)
    gate.set_limit(visitor, None)
    watched = weakref.ref(visitor)
    del visitor
    gc.collect()
    assert watched() is None


@pytest.mark.parametrize(("keys", "limit"), [(10_000, 1), (1, 10_000)])
def test_a_call_costs_the_same_among_thousands(world, keys, limit):
    gate, passed, start = make(world, limit=limit, period=(10_000 - 1) / 4), 0, time.process_time()
    for number in range(20_000):
        world.now += 0.25
        passed += gate.try_acquire(number % keys)
        assert number % 100 or time.process_time() - start < 1
    assert passed == 20_000


def test_random_calls_beside_an_obvious_limiter(world):
    dice, gate, grants = random.Random(3), make(world, limit=4, period=5), []
    for _ in range(500):
        world.now += dice.choice([0, 0, 0.5, 2])
        key, cost = dice.choice("ab"), dice.choice([1, 1, 2, 3])
        used = sum(c for t, k, c in grants if k == key and world.now < t + 5)
        assert gate.available(key) == 4 - used
        assert (gate.retry_after(key, cost) == 0) is (used + cost <= 4)
        assert gate.try_acquire(key, cost) is (used + cost <= 4)
        if used + cost <= 4:
            grants.append((world.now, key, cost))
