"""When entries end."""

import pytest

from cache import Cache


class Clock:
    def __init__(self, now=0.0):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture(params=[-3, 0, 1000.25])
def clock(request):
    return Clock(request.param)


def test_up_to_the_end(clock):
    cache = Cache(3, 3, clock)
    cache.put("a", 1)
    clock.now += 2.75
    assert cache.peek("a") == 1
    clock.now += 0.25
    assert cache.peek("a") is None
    assert "a" not in cache
    assert cache.get("a", "gone") == "gone"
    assert cache.delete("a") is False


def test_without_ttl_for_ever(clock):
    cache = Cache(3, clock=clock)
    cache.put("a", 1)
    clock.now += 1e9
    assert cache.get("a") == 1


def test_ttl_of_put_wins(clock):
    cache = Cache(3, 5, clock)
    cache.put("short", 1, ttl=1)
    cache.put("long", 1, ttl=10)
    cache.put("ever", 1, ttl=None)
    assert [k for k in ("short", "long", "ever") if k in cache] == ["short", "long", "ever"]
    clock.now += 1
    assert "short" not in cache
    clock.now += 8.75
    assert "long" in cache
    clock.now += 0.25
    assert "long" not in cache
    assert "ever" in cache


def test_overwriting_starts_anew_with_the_ttl_of_the_cache(clock):
    cache = Cache(3, 5, clock)
    cache.put("a", 1, ttl=100)
    clock.now += 4
    cache.put("a", 2)
    clock.now += 4.75
    assert cache.get("a") == 2
    clock.now += 0.25
    assert cache.get("a") is None


def test_get_does_not_prolong(clock):
    cache = Cache(3, 2, clock)
    cache.put("a", 1)
    clock.now += 1
    cache.get("a")
    cache.get_or_load("a", None)
    clock.now += 1
    assert "a" not in cache


def test_life_of_a_load_starts_when_it_returns(clock):
    def load(key):
        clock.now += 10
        return key

    cache = Cache(3, 2, clock)
    cache.get_or_load("a", load)
    clock.now += 1.75
    assert "a" in cache


def test_found_dead_is_counted_once(clock):
    cache = Cache(3, 2, clock)
    cache.put("a", 1)
    clock.now += 2
    cache.get("a")
    cache.get("a")
    assert cache.stats()["expirations"] == 1


def test_deleted_before_its_end_has_not_expired(clock):
    cache = Cache(3, 2, clock)
    cache.put("a", 1)
    cache.delete("a")
    clock.now += 5
    assert cache.stats()["expirations"] == 0


@pytest.mark.xfail(strict=True, reason="the dead are only removed when they are asked for")
def test_dead_are_not_counted_by_len(clock):
    cache = Cache(3, 2, clock)
    cache.put("a", 1)
    clock.now += 2
    assert len(cache) == 0


@pytest.mark.xfail(strict=True, reason="the dead are only removed when they are asked for")
def test_dead_are_not_listed(clock):
    cache = Cache(3, 2, clock)
    cache.put("a", 1)
    clock.now += 2
    assert cache.keys() == []


@pytest.mark.xfail(strict=True, reason="eviction does not look for the dead first")
def test_dead_leave_before_the_living(clock):
    cache = Cache(2, clock=clock)
    cache.put("live", 1)
    cache.put("dead", 1, ttl=1)
    clock.now += 1
    cache.put("new", 1)
    assert "live" in cache and cache.stats()["evictions"] == 0


@pytest.mark.xfail(strict=True, reason="expirations are only counted when somebody looks")
def test_expirations_are_counted_unseen(clock):
    cache = Cache(2, 1, clock)
    cache.put("a", 1)
    clock.now += 1
    assert cache.stats()["expirations"] == 1
