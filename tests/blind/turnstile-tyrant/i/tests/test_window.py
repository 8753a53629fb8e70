import pytest

from limiter import RateLimiter


class World:
    def __init__(self):
        self.time = 1000
        self.sleeps = []

    def sleep(self, seconds):
        self.sleeps.append(seconds)
        self.time += seconds

    def limiter(self, limit=3, period=60):
        return RateLimiter(limit, period, clock=lambda: self.time, sleep=self.sleep)


@pytest.fixture
def world():
    return World()


def test_limit(world):
    gate = world.limiter()
    assert [gate.try_acquire("ox") for _ in range(4)] == [True, True, True, False]
    assert gate.try_acquire("cart", 3) is True and gate.try_acquire("cart") is False


def test_all_units_are_free_at_once(world):
    gate = world.limiter()
    gate.try_acquire("ox")
    world.time += 59.75
    gate.try_acquire("ox", 2)
    assert gate.available("ox") == 0
    world.time += 0.25
    assert gate.available("ox") == 3
    assert gate.try_acquire("ox", 3) is True


def test_retry_after_is_the_end_of_the_window(world):
    gate = world.limiter()
    gate.try_acquire("ox")
    world.time += 20
    gate.try_acquire("ox", 2)
    assert gate.retry_after("ox", 1) == gate.retry_after("ox", 3) == 40


def test_refusals_do_not_prolong(world):
    gate = world.limiter(1)
    gate.try_acquire("ox")
    world.time += 30
    assert gate.try_acquire("ox") is False
    world.time += 30
    assert gate.try_acquire("ox") is True


def test_own_limits(world):
    gate = world.limiter()
    gate.set_limit("ox", 5)
    assert gate.try_acquire("ox", 5)
    gate.set_limit("ox", 2)
    assert gate.available("ox") == 0
    gate.set_limit("ox", None)
    world.time += 60
    assert gate.available("ox") == 3 and len(gate) == 0


def test_len(world):
    gate = world.limiter()
    gate.available("a"), gate.retry_after("a"), gate.set_limit("a", 1)
    assert len(gate) == 0
    gate.try_acquire("b"), gate.try_acquire("b"), gate.try_acquire("c")
    assert len(gate) == 2


def test_acquire_sleeps_to_the_end_of_the_window(world):
    gate = world.limiter()
    gate.try_acquire("ox", 2)
    world.time += 10
    assert gate.acquire("ox") and world.sleeps == []
    assert gate.acquire("ox", 3) and world.sleeps == [50]


@pytest.mark.parametrize("timeout, answer", [(0, False), (59.75, False), (60, True), (None, True)])
def test_timeout(world, timeout, answer):
    gate = world.limiter(1)
    gate.try_acquire("ox")
    assert gate.acquire("ox", timeout=timeout) is answer
    assert world.sleeps == ([60] if answer else [])


def test_error_in_sleep(world):
    def sleep(seconds):
        raise OSError

    gate = RateLimiter(1, 60, lambda: world.time, sleep)
    gate.try_acquire("ox")
    with pytest.raises(OSError):
        gate.acquire("ox")
