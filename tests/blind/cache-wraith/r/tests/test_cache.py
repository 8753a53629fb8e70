import math
import random

import pytest

from cache import Cache


class Clock:
    def __init__(self, now=0):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def filled(capacity, keys, **options):
    cache = Cache(capacity, **options)
    for key in keys:
        cache.put(key, key.upper())
    return cache


def test_least_recently_used_leaves():
    cache = filled(3, "abc")
    assert cache.get("a") == "A"
    cache.put("b", 1)
    cache.put("d", 2)
    assert cache.keys() == ["a", "b", "d"]
    assert cache.stats()["evictions"] == 1


def test_looking_is_not_using():
    cache = filled(2, "ab")
    assert cache.peek("a") == "A"
    assert "a" in cache and "x" not in cache
    assert len(cache) == 2
    cache.put("c", 0)
    assert cache.keys() == ["b", "c"]
    assert cache.stats() == {"hits": 0, "misses": 0, "evictions": 1, "expirations": 0}


@pytest.mark.parametrize("capacity, kept", [(0, []), (1, ["c"]), (2, ["b", "c"])])
def test_small_capacities(capacity, kept):
    assert filled(capacity, "abc").keys() == kept


def test_overwriting_costs_nobody_a_place():
    cache = filled(2, "ab")
    assert cache.put("a", None) is None
    assert cache.keys() == ["b", "a"]
    assert cache.get("a", "default") is None


@pytest.mark.parametrize("start", [-5, -10, 0, 100])
def test_life_ends_at_the_instant(start):
    clock = Clock(start)
    cache = Cache(3, ttl=5, clock=clock)
    cache.put("a", 1)
    cache.put("b", 1, ttl=None)
    clock.now = start + 4.75
    assert cache.get("a") == 1
    clock.now = start + 5
    assert cache.keys() == ["b"]
    assert "a" not in cache and cache.peek("a") is None and not cache.delete("a") and len(cache) == 1
    assert cache.stats()["expirations"] == 1


def test_overwriting_starts_a_new_life(clock):
    cache = Cache(2, ttl=4, clock=clock)
    cache.put("a", 1, ttl=1)
    cache.put("a", 2)
    clock.now = 3
    assert cache.peek("a") == 2
    clock.now = 4
    assert cache.peek("a") is None
    assert cache.stats()["expirations"] == 1


def test_the_dead_make_room_first(clock):
    cache = Cache(2, clock=clock)
    cache.put("old", 1)
    cache.put("dead", 1, ttl=1)
    clock.now = 1
    cache.put("new", 1)
    assert cache.keys() == ["old", "new"]
    assert cache.stats()["evictions"] == 0


def test_load_is_called_once_and_its_life_starts_when_it_returns(clock):
    cache = Cache(2, ttl=2, clock=clock)
    calls = []

    def load(key):
        calls.append(key)
        clock.now += 10
        return 0

    assert cache.get_or_load("a", load) == 0
    clock.now += 1.75
    assert cache.get_or_load("a", load) == 0
    assert calls == ["a"]
    assert cache.stats()["hits"] == cache.stats()["misses"] == 1


def test_a_failing_load_leaves_a_miss_and_nothing_else():
    cache = filled(2, "ab")
    failure = KeyError("c")

    def load(key):
        raise failure

    with pytest.raises(KeyError) as caught:
        cache.get_or_load("c", load)
    assert caught.value is failure
    assert cache.keys() == ["a", "b"]
    assert cache.stats() == {"hits": 0, "misses": 1, "evictions": 0, "expirations": 0}


def test_clear_keeps_counts_and_stats_are_a_copy():
    cache = filled(1, "ab")
    assert cache.clear() is None
    cache.stats()["evictions"] = 7
    assert len(cache) == 0 and cache.stats()["evictions"] == 1


@pytest.mark.parametrize("bad, error", [("1", TypeError), (True, TypeError), (1.0, TypeError), (-1, ValueError)])
def test_refused_capacities(bad, error):
    with pytest.raises(error):
        Cache(bad)


@pytest.mark.parametrize(
    "bad, error",
    [("1", TypeError), (False, TypeError), (0, ValueError), (-1, ValueError), (math.nan, ValueError), (math.inf, ValueError)],
)
def test_refused_lives(bad, error):
    with pytest.raises(error):
        Cache(1, ttl=bad)
    cache = filled(1, "a")
    with pytest.raises(error):
        cache.put("b", 1, ttl=bad)
    assert cache.keys() == ["a"]


def test_keys_that_cannot_be_hashed():
    cache = filled(1, "a")
    for call in (
        lambda: cache.put([], 1),
        lambda: cache.get([]),
        lambda: cache.peek([]),
        lambda: [] in cache,
        lambda: cache.delete([]),
        lambda: cache.get_or_load([], lambda key: pytest.fail("loaded")),
    ):
        with pytest.raises(TypeError):
            call()
    assert cache.keys() == ["a"] and set(cache.stats().values()) == {0}


def test_against_an_obvious_model(clock):
    rng = random.Random(7)
    cache, model = Cache(3, ttl=3, clock=clock), []
    for _ in range(3000):
        clock.now += rng.choice([0, 0.25, 1])
        key = rng.randrange(6)
        model = [item for item in model if item[1] > clock.now]
        found = [item for item in model if item[0] == key]
        if rng.random() < 0.5:
            cache.put(key, key)
            model = [item for item in model if item[0] != key][0 if found else -2 :] + [(key, clock.now + 3)]
        else:
            assert cache.get(key) == (key if found else None)
            model = [item for item in model if item[0] != key] + found
        assert cache.keys() == [item[0] for item in model]
