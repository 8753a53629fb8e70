import random

import pytest

from cache import Cache


class Clock:
    def __init__(self, now=0.0):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock(-10)


def test_least_recently_used_leaves(clock):
    cache = Cache(2, clock=clock)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]
    assert cache.stats() == {"hits": 1, "misses": 0, "evictions": 1, "expirations": 0}


def test_looking_is_not_using(clock):
    cache = Cache(2, clock=clock)
    cache.put("a", 1)
    cache.put("b", 2)
    assert "a" in cache
    assert cache.peek("a") == 1
    assert cache.peek("z", 9) == 9
    cache.put("c", 3)
    assert "a" not in cache
    assert cache.stats()["hits"] == 0


def test_overwriting_costs_nobody_a_place(clock):
    cache = Cache(2, clock=clock)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    assert cache.keys() == ["b", "a"]
    assert cache.get("a") == 3


@pytest.mark.parametrize(("later", "there"), [(0, True), (4.75, True), (5, False), (9, False)])
def test_the_end(clock, later, there):
    cache = Cache(3, ttl=5, clock=clock)
    cache.put("a", None)
    clock.now += later
    assert ("a" in cache) is there
    assert cache.get("a", "gone") == (None if there else "gone")
    assert len(cache) == int(there)
    assert cache.stats()["expirations"] == int(not there)


def test_own_life(clock):
    cache = Cache(3, ttl=5, clock=clock)
    cache.put("short", 1, ttl=1)
    cache.put("long", 1, ttl=None)
    clock.now += 1
    assert cache.keys() == ["long"]
    cache.put("long", 2)
    clock.now += 5
    assert cache.keys() == []


def test_the_dead_make_room_first(clock):
    cache = Cache(2, clock=clock)
    cache.put("old", 1)
    cache.put("dying", 2, ttl=1)
    clock.now += 1
    cache.put("new", 3)
    assert cache.keys() == ["old", "new"]
    assert cache.stats()["evictions"] == 0


def test_load(clock):
    cache = Cache(2, ttl=5, clock=clock)

    def slow(key):
        clock.now += 3
        return key * 2

    assert cache.get_or_load("a", slow) == "aa"
    clock.now += 4.75
    assert cache.get_or_load("a", lambda key: pytest.fail("loaded twice")) == "aa"
    with pytest.raises(ZeroDivisionError):
        cache.get_or_load("b", lambda key: 1 / 0)
    assert cache.keys() == ["a"]
    assert cache.stats()["misses"] == 2


@pytest.mark.parametrize("ttl", [0, -1, float("nan"), float("inf")])
def test_impossible_lives(clock, ttl):
    cache = Cache(1, clock=clock)
    with pytest.raises(ValueError):
        cache.put("a", 1, ttl=ttl)
    with pytest.raises(ValueError):
        Cache(1, ttl=ttl)
    assert len(cache) == 0


@pytest.mark.parametrize("ttl", ["1", True, [1]])
def test_lives_that_are_no_numbers(ttl):
    with pytest.raises(TypeError):
        Cache(1, ttl=ttl)


def test_capacities():
    with pytest.raises(TypeError):
        Cache("3")
    with pytest.raises(ValueError):
        Cache(-1)
    empty = Cache(0)
    empty.put("a", 1)
    assert len(empty) == 0 and empty.stats()["evictions"] == 0


def test_like_a_slow_model(clock):
    pick = random.Random(7)
    cache, model = Cache(4, clock=clock), []
    for _ in range(500):
        key = pick.randrange(8)
        if pick.random() < 0.5:
            cache.put(key, key)
            model = [k for k in model if k != key][-(4 if key in model else 3):] + [key]
            model = model[-4:]
        elif cache.get(key) is not None:
            model.remove(key)
            model.append(key)
        assert cache.keys() == model
