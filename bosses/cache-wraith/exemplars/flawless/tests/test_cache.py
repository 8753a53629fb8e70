"""Promises of the cache."""

import gc
import random
import time
import weakref

import pytest

from cache import Cache


class Clock:
    """A clock that stands where it is set."""

    def __init__(self):
        self.now = 50.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def make(clock, capacity=3, ttl=10):
    return Cache(capacity, ttl, clock)


def filled(capacity, *keys):
    cache = Cache(capacity)
    for key in keys:
        cache.put(key, key)
    return cache


class TestEviction:
    def test_the_least_recently_used_entry_leaves(self):
        cache = filled(3, "a", "b", "c")
        assert cache.get("a") == "a"
        cache.put("d", "d")
        assert cache.keys() == ["c", "a", "d"]

    def test_overwriting_is_a_use_and_needs_no_room(self):
        cache = filled(2, "a", "b")
        cache.put("a", "new")
        assert cache.keys() == ["b", "a"]
        assert cache.peek("a") == "new"
        assert cache.stats()["evictions"] == 0

    def test_looking_is_not_a_use(self):
        cache = filled(2, "a", "b")
        assert cache.peek("a") == "a"
        assert "a" in cache
        cache.put("c", "c")
        assert cache.keys() == ["b", "c"]

    def test_no_places_at_all(self):
        cache = filled(0, "a")
        assert len(cache) == 0
        assert cache.stats() == {"hits": 0, "misses": 0, "evictions": 0, "expirations": 0}

    def test_finding_with_a_load_is_a_use(self):
        cache = filled(2, "a", "b")
        assert cache.get_or_load("a", str.upper) == "a"
        assert cache.keys() == ["b", "a"]

    def test_a_deleted_entry_frees_its_place(self):
        cache = filled(2, "a", "b")
        assert cache.delete("a") is True
        assert cache.delete("a") is False
        cache.put("c", "c")
        assert cache.keys() == ["b", "c"]

    def test_clear_keeps_the_counts(self):
        cache = filled(2, "a", "b")
        cache.get("a")
        cache.clear()
        assert len(cache) == 0
        assert cache.stats()["hits"] == 1


class TestExpiry:
    def test_live_until_just_before_the_end(self, clock):
        cache = make(clock)
        cache.put("a", 1)
        clock.now = 59.75
        assert cache.get("a") == 1
        clock.now = 60.0
        assert cache.get("a") is None

    def test_own_life_wins_and_none_is_for_ever(self, clock):
        cache = make(clock)
        cache.put("short", 1, ttl=1)
        cache.put("long", 2, ttl=None)
        cache.put("longer", 3, ttl=20)
        clock.now = 51.0
        assert cache.keys() == ["long", "longer"]
        clock.now = 69.75
        assert cache.keys() == ["long", "longer"]
        clock.now = 10**6
        assert cache.keys() == ["long"]

    def test_overwriting_starts_again_with_the_cache_ttl(self, clock):
        cache = make(clock)
        cache.put("a", 1, ttl=None)
        clock.now = 55.0
        cache.put("a", 2)
        clock.now = 64.0
        assert "a" in cache
        clock.now = 65.0
        assert "a" not in cache

    def test_the_dead_make_room_before_the_living(self, clock):
        cache = make(clock, capacity=2, ttl=None)
        cache.put("live", 1)
        cache.put("dead", 2, ttl=1)
        clock.now = 51.0
        cache.put("new", 3)
        assert cache.keys() == ["live", "new"]
        assert cache.stats()["evictions"] == 0

    @pytest.mark.parametrize(
        ("look", "answer"),
        [
            (len, 1),
            (Cache.keys, ["live"]),
            (lambda cache: "dead" in cache, False),
            (lambda cache: cache.peek("dead"), None),
            (lambda cache: cache.get("dead"), None),
            (lambda cache: cache.delete("dead"), False),
            (lambda cache: cache.stats()["expirations"], 1),
        ],
    )
    def test_nobody_sees_the_dead(self, clock, look, answer):
        cache = make(clock, ttl=None)
        cache.put("live", 1)
        cache.put("dead", 2, ttl=5)
        clock.now = 55.0
        assert look(cache) == answer

    def test_an_end_at_zero_is_an_end(self, clock):
        clock.now = -10.0
        cache = make(clock)
        cache.put("a", 1)
        clock.now = -0.25
        assert "a" in cache
        clock.now = 0.0
        assert "a" not in cache

    def test_what_died_before_a_clear_has_expired(self, clock):
        cache = make(clock)
        cache.put("a", 1)
        clock.now = 60.0
        cache.put("b", 2, ttl=1)
        clock.now = 61.0
        cache.clear()
        cache.put("c", 3)
        cache.clear()
        clock.now = 99.0
        assert cache.stats()["expirations"] == 2

    def test_each_expiration_counts_once(self, clock):
        cache = make(clock)
        cache.put("a", 1)
        cache.put("a", 2)
        clock.now = 70.0
        assert cache.peek("a", "gone") == "gone"
        assert cache.delete("a") is False
        assert cache.stats()["expirations"] == 1


class TestAnswers:
    @pytest.mark.parametrize("value", [None, 0, "", []])
    def test_empty_values_are_values(self, value):
        cache = Cache(1)
        cache.put("a", value)
        assert cache.get("a", "gone") == value

    def test_load_is_asked_once(self):
        cache, asked = Cache(2), []
        assert [cache.get_or_load("a", asked.append) for _ in range(3)] == [None] * 3
        assert asked == ["a"]
        assert cache.stats()["hits"] == 2
        assert cache.stats()["misses"] == 1

    def test_a_failing_load_changes_nothing(self):
        cache = filled(1, "a")

        def load(key):
            raise LookupError(key)

        with pytest.raises(LookupError):
            cache.get_or_load("b", load)
        assert cache.keys() == ["a"]
        assert cache.stats() == {"hits": 0, "misses": 1, "evictions": 0, "expirations": 0}

    def test_a_loaded_life_starts_after_the_load(self, clock):
        cache = make(clock)

        def load(key):
            clock.now += 8
            return key

        cache.get_or_load("a", load)
        clock.now += 9
        assert "a" in cache
        clock.now += 1
        assert "a" not in cache

    def test_looking_counts_nothing(self):
        cache = filled(2, "a")
        assert cache.peek("a") == "a"
        assert cache.peek("b", 0) == 0
        assert "b" not in cache
        assert cache.stats()["hits"] == cache.stats()["misses"] == 0

    def test_stats_belong_to_the_caller(self):
        cache = Cache(1)
        cache.stats()["hits"] = 9
        assert cache.stats()["hits"] == 0


class TestRefusals:
    @pytest.mark.parametrize("capacity", [1.0, "1", None, True])
    def test_a_capacity_is_an_int(self, capacity):
        with pytest.raises(TypeError):
            Cache(capacity)

    def test_a_capacity_is_not_negative(self):
        with pytest.raises(ValueError):
            Cache(-1)

    @pytest.mark.parametrize("ttl", [0, -1, float("inf"), float("nan")])
    def test_a_life_is_finite_and_positive(self, ttl):
        cache = filled(1, "a")
        with pytest.raises(ValueError):
            Cache(1, ttl)
        with pytest.raises(ValueError):
            cache.put("b", 1, ttl=ttl)
        assert cache.keys() == ["a"]

    @pytest.mark.parametrize("ttl", ["5", False])
    def test_a_life_is_a_number(self, ttl):
        with pytest.raises(TypeError):
            Cache(1, ttl)

    def test_a_refused_put_makes_no_room(self):
        cache = filled(2, "a", "b")
        for key, ttl in (("c", 0), ("c", "5"), ("a", -1), ([], 5)):
            with pytest.raises((TypeError, ValueError)):
                cache.put(key, 1, ttl=ttl)
        assert cache.keys() == ["a", "b"]
        assert cache.peek("a") == "a"
        assert cache.stats()["evictions"] == 0

    def test_a_key_is_hashable(self):
        cache = filled(1, "a")
        for call in (lambda: cache.put([], 1), lambda: cache.get([]), lambda: Cache(0).put([], 1)):
            with pytest.raises(TypeError):
                call()
        assert cache.keys() == ["a"]
        assert cache.stats()["misses"] == 0


class TestCost:
    @pytest.mark.parametrize(
        "leave",
        [
            lambda cache: cache.put("a", 1),
            lambda cache: cache.put("b", 1),
            lambda cache: cache.delete("a"),
            lambda cache: cache.clear(),
        ],
    )
    def test_what_leaves_is_let_go(self, clock, leave):
        class Value:
            """Something that can be watched."""

        value, cache = Value(), make(clock, capacity=1)
        watched = weakref.ref(value)
        cache.put("a", value)
        assert cache.get("a") is value
        del value
        leave(cache)
        gc.collect()
        assert watched() is None

    def test_no_call_walks_through_the_entries(self, clock):
        cache, start = make(clock, capacity=10_000), time.process_time()
        for number in range(20_000):
            cache.put(("item", number), number)
            if number >= 10_000:
                assert cache.get(("item", number - 1)) == number - 1
            assert time.process_time() - start < 1


def test_random_calls_beside_an_obvious_cache(clock):
    dice = random.Random(7)
    cache = make(clock, capacity=3, ttl=5)
    rows = []
    for number in range(600):
        clock.now += dice.choice([0, 0, 1, 2.5])
        rows = [row for row in rows if clock.now < row[2]]
        key = dice.choice("abcde")
        found = [row for row in rows if row[0] == key]
        if dice.random() < 0.5:
            rows = [row for row in rows if row[0] != key][-2 if not found else -3 :]
            rows.append((key, number, clock.now + 5))
            cache.put(key, number)
        else:
            rows = [row for row in rows if row[0] != key] + found
            assert cache.get(key) == (found[0][1] if found else None)
        assert cache.keys() == [row[0] for row in rows]
