import random
import weakref

import pytest

from cache import Cache


def filled(clock, names="abc", capacity=3, ttl=None):
    cache = Cache(capacity, ttl, clock)
    for name in names:
        cache.put(name, name.upper())
    return cache


@pytest.mark.parametrize("use", [
    lambda cache: cache.get("a"),
    lambda cache: cache.put("a", 1),
    lambda cache: cache.get_or_load("a", str),
])
def test_a_use_saves(clock, use):
    cache = filled(clock)
    use(cache)
    cache.put("d", 4)
    assert cache.keys() == ["c", "a", "d"]
    assert cache.stats()["evictions"] == 1


def test_looking_is_no_use(clock):
    cache = filled(clock)
    assert cache.peek("a") == "A"
    assert "a" in cache
    assert len(cache) == 3
    cache.put("d", 4)
    assert "a" not in cache
    assert cache.peek("a", "gone") == "gone"
    assert cache.stats() == {"hits": 0, "misses": 0, "evictions": 1, "expirations": 0}


@pytest.mark.parametrize("capacity, kept", [(0, []), (1, ["c"]), (2, ["b", "c"])])
def test_small_capacities(clock, capacity, kept):
    cache = filled(clock, capacity=capacity)
    assert cache.keys() == kept
    assert cache.stats()["evictions"] == (0 if capacity == 0 else 3 - capacity)


def test_a_freed_place_is_used_first(clock):
    cache = filled(clock)
    assert cache.delete("b") is True
    assert cache.delete("b") is False
    cache.put("d", 4)
    assert cache.keys() == ["a", "c", "d"]


@pytest.mark.parametrize("start", [-2, 0, 10.5])
def test_life_ends_at_the_instant(clock, start):
    clock.now = start
    cache = filled(clock, ttl=2)
    clock.now = start + 1.75
    assert cache.get("a") == "A"
    clock.now = start + 2
    assert cache.get("a") is None
    assert not cache.delete("a")
    assert len(cache) == 0 and cache.keys() == []
    assert cache.stats()["expirations"] == 3


def test_own_life(clock):
    cache = Cache(3, 5, clock)
    cache.put("short", 1, ttl=1)
    cache.put("ever", 2, ttl=None)
    cache.put("short", 3)
    clock.now = 4
    assert cache.get("short") == 3
    clock.now = 5
    assert cache.keys() == ["ever"]


def test_the_dead_make_room_before_the_living(clock):
    cache = filled(clock, "ab")
    cache.put("c", 1, ttl=1)
    clock.now = 1
    cache.put("d", 4)
    assert cache.keys() == ["a", "b", "d"]
    assert cache.stats()["evictions"] == 0


def test_what_left_before_its_end_has_not_expired(clock):
    cache = filled(clock, ttl=1)
    cache.delete("a")
    cache.put("b", 2, ttl=None)
    cache.clear()
    clock.now = 9
    assert cache.stats()["expirations"] == 0


@pytest.mark.parametrize("value", [None, 0, "", [], False])
def test_any_value(clock, value):
    cache = Cache(1, clock=clock)
    assert cache.get_or_load("k", lambda key: value) is value
    assert cache.get_or_load("k", lambda key: 1 / 0) is value
    assert cache.get("k", "default") is value
    assert cache.stats()["hits"] == 2


def test_failing_load_leaves_nothing(clock):
    cache = filled(clock)
    with pytest.raises(ZeroDivisionError):
        cache.get_or_load("d", lambda key: 1 / 0)
    assert cache.keys() == ["a", "b", "c"]
    assert cache.stats()["misses"] == 1


def test_loaded_life_starts_after_the_load(clock):
    cache = Cache(1, 2, clock)

    def load(key):
        clock.now += 3
        return key

    cache.get_or_load("a", load)
    clock.now += 1.75
    assert "a" in cache


@pytest.mark.parametrize("bad, error", [
    (True, TypeError), ("1", TypeError), (0, ValueError), (-1, ValueError),
    (float("nan"), ValueError), (float("inf"), ValueError),
])
def test_bad_ttl(clock, bad, error):
    with pytest.raises(error):
        Cache(1, bad)
    cache = filled(clock)
    with pytest.raises(error):
        cache.put("d", 1, ttl=bad)
    assert cache.keys() == ["a", "b", "c"]


@pytest.mark.parametrize("bad, error", [(True, TypeError), (1.0, TypeError), (None, TypeError), (-1, ValueError)])
def test_bad_capacity(bad, error):
    with pytest.raises(error):
        Cache(bad)


@pytest.mark.parametrize("capacity", [0, 2])
def test_unhashable_keys(clock, capacity):
    cache = filled(clock, "ab", capacity)
    before = cache.keys(), cache.stats()
    for call in (lambda: cache.put([], 1), lambda: cache.get([]), lambda: cache.peek([]), lambda: [] in cache,
                 lambda: cache.delete([]), lambda: cache.get_or_load([], pytest.fail)):
        with pytest.raises(TypeError):
            call()
    assert (cache.keys(), cache.stats()) == before


def test_values_are_let_go(clock):
    class Thing:
        pass

    cache = Cache(1, 5, clock)
    thing = Thing()
    gone = weakref.ref(thing)
    cache.put("k", thing)
    del thing
    cache.put("k", None)
    assert gone() is None


def test_stats_belong_to_the_caller(clock):
    cache = filled(clock)
    cache.stats()["hits"] = 99
    assert cache.stats()["hits"] == 0


@pytest.mark.parametrize("seed", range(20))
def test_against_a_slow_list(clock, seed):
    dice = random.Random(seed)
    capacity = dice.randrange(5)
    cache, shelf = Cache(capacity, 2, clock), []  # (key, value, end)
    for step in range(200):
        clock.now += dice.choice([0, 0, 0.25, 1])
        shelf = [row for row in shelf if clock.now < row[2]]
        key = dice.choice("abcdef")
        row = next((row for row in shelf if row[0] == key), None)
        match dice.randrange(4):
            case 0:
                life = dice.choice([0.5, 2, 4])
                cache.put(key, step, ttl=life)
                shelf = [other for other in shelf if other is not row] + [(key, step, clock.now + life)]
                shelf = shelf[-capacity:] if capacity else []
            case 1:
                assert cache.get(key) == (row and row[1])
                if row:
                    shelf.append(shelf.pop(shelf.index(row)))
            case 2:
                assert cache.peek(key) == (row and row[1])
            case 3:
                assert cache.delete(key) is (row is not None)
                shelf = [other for other in shelf if other is not row]
        assert cache.keys() == [row[0] for row in shelf]
