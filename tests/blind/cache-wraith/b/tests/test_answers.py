"""Values, loads, counts, refusals, and speed."""

import time
import weakref

import pytest

from cache import Cache


@pytest.mark.parametrize("value", [None, 0, "", [], (), False])
def test_empty_values_are_values(value):
    cache = Cache(2)
    cache.put("a", value)
    assert cache.get("a", "no") is value
    assert cache.peek("a", "no") is value
    assert cache.get_or_load("a", None) is value


def test_load_once_with_the_key():
    calls = []

    def load(key):
        calls.append(key)
        return key * 2

    cache = Cache(2)
    assert [cache.get_or_load("ab", load) for _ in range(3)] == ["abab"] * 3
    assert calls == ["ab"]
    assert cache.stats() == {"hits": 2, "misses": 1, "evictions": 0, "expirations": 0}


def test_failing_load():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    error = RuntimeError("no")

    def load(key):
        raise error

    with pytest.raises(RuntimeError) as caught:
        cache.get_or_load("c", load)
    assert caught.value is error
    assert cache.keys() == ["a", "b"]
    assert cache.stats()["misses"] == 1


def test_peek_and_in_are_not_counted():
    cache = Cache(2)
    cache.peek("a")
    "a" in cache
    assert cache.stats()["misses"] == 0


def test_stats_are_a_copy():
    cache = Cache(2)
    cache.stats().clear()
    assert set(cache.stats()) == {"hits", "misses", "evictions", "expirations"}


@pytest.mark.parametrize("call", [
    lambda c: c.put([], 1), lambda c: c.get([]), lambda c: c.peek([]), lambda c: [] in c, lambda c: c.delete([]),
    lambda c: c.get_or_load([], lambda key: pytest.fail("load was called")),
])
@pytest.mark.parametrize("capacity", [0, 1])
def test_unhashable_key(call, capacity):
    cache = Cache(capacity)
    cache.put("a", 1)
    before = cache.keys(), cache.stats()
    with pytest.raises(TypeError):
        call(cache)
    assert (cache.keys(), cache.stats()) == before


@pytest.mark.parametrize("capacity, error", [
    (1.0, TypeError), ("1", TypeError), (None, TypeError), (-1, ValueError),
    pytest.param(True, TypeError, marks=pytest.mark.xfail(strict=True, reason="bool is an int")),
])
def test_capacity(capacity, error):
    with pytest.raises(error):
        Cache(capacity)


@pytest.mark.parametrize("ttl, error", [
    ("1", TypeError), (True, TypeError), (0, ValueError), (-1.5, ValueError), (float("nan"), ValueError),
    pytest.param(float("inf"), ValueError, marks=pytest.mark.xfail(strict=True, reason="infinity is not refused")),
])
def test_ttl(ttl, error):
    cache = Cache(1)
    cache.put("a", 1)
    with pytest.raises(error):
        cache.put("b", 1, ttl=ttl)
    assert cache.keys() == ["a"]
    with pytest.raises(error):
        Cache(1, ttl)


@pytest.mark.parametrize("leave", [
    lambda c: c.put("a", 0), lambda c: c.delete("a"), lambda c: c.clear(), lambda c: c.put("b", 0),
])
def test_values_are_let_go(leave):
    class Value:
        pass

    value = Value()
    watch = weakref.ref(value)
    cache = Cache(1)
    cache.put("a", value)
    del value
    leave(cache)
    assert watch() is None


@pytest.mark.xfail(strict=True, reason="every eviction searches all entries")
def test_cost_of_eviction_does_not_grow():
    def cost(capacity):
        cache = Cache(capacity)
        for number in range(capacity):
            cache.put(number, number)
        start = time.process_time()
        for number in range(100):
            cache.put(-1 - number, number)
        return time.process_time() - start

    assert cost(10_000) < 20 * cost(100)
