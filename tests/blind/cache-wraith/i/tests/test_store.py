import pytest

from cache import Cache


def test_the_least_recently_used_entry_is_evicted():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]
    assert cache.stats()["evictions"] == 1


def test_peek_and_in_are_no_use():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.peek("a") == 1 and "a" in cache
    cache.put("c", 3)
    assert "a" not in cache


def test_nothing_stays_in_a_cache_without_places():
    cache = Cache(0)
    assert cache.put("a", 1) is None
    assert len(cache) == 0
    assert cache.get_or_load("a", str.upper) == "A"


def test_the_end_of_a_life(clock):
    cache = Cache(2, ttl=1, clock=clock)
    cache.put("a", 1)
    clock.forward(0.75)
    assert cache.get("a") == 1
    clock.forward(0.25)
    assert cache.get("a") is None
    assert cache.stats() == {"hits": 1, "misses": 1, "evictions": 0, "expirations": 1}


def test_the_dead_give_their_place(clock):
    cache = Cache(2, clock=clock)
    cache.put("a", 1)
    cache.put("b", 2, ttl=1)
    clock.forward(1)
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_load_is_called_once(clock):
    calls = []
    cache = Cache(2, clock=clock)
    for _ in range(2):
        assert cache.get_or_load("a", calls.append) is None
    assert calls == ["a"]


def test_load_that_raises(clock):
    cache = Cache(1, clock=clock)
    cache.put("a", 1)
    with pytest.raises(KeyError):
        cache.get_or_load("b", {}.__getitem__)
    assert cache.keys() == ["a"]


def test_delete_and_clear():
    cache = Cache(3)
    for key in "abc":
        cache.put(key, key)
    assert cache.delete("b") and not cache.delete("b")
    cache.clear()
    assert cache.keys() == []
