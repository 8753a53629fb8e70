"""What comes back: values as they were, loads, counts, and refusals."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError

GONE = "gone"
COUNTS = ("hits", "misses", "evictions", "expirations")


class Clock:
    """A clock that stands where the trial sets it."""

    def __init__(self, now=100):
        self.now = now

    def __call__(self):
        """The time."""
        return self.now


class Loader:
    """A load that remembers its calls, may take time, and may fail."""

    def __init__(self, result, error=None, clock=None, takes=0):
        self.result, self.error, self.clock, self.takes = result, error, clock, takes
        self.calls = []

    def __call__(self, key):
        """The result, or the error."""
        self.calls.append(key)
        if self.clock is not None:
            self.clock.now += self.takes
        if self.error is not None:
            raise self.error
        return self.result


def told(cache):
    """The four counts of stats, in the contract's order."""
    stats = cache.stats()
    assert sorted(stats) == sorted(COUNTS), "stats is a dict of exactly hits, misses, evictions and expirations."
    return [stats[name] for name in COUNTS]


def raised(call, *args, **kwargs):
    """The error a call raises, or None."""
    try:
        call(*args, **kwargs)
    except PlayerError as error:
        return error
    return None


def refused(error, words, call, *args, **kwargs):
    """Fail with these words unless the call raises the error."""
    got = raised(call, *args, **kwargs)
    assert got is not None, words
    assert isinstance(got, error), f"{words} It raised {got.type_name} instead of {error.__name__}."


@pytest.mark.group("values")
def test_empty_values_are_values(player):
    """None, 0, False and empty things are values like any other."""
    cache = player.module("cache").Cache(9)
    for key, value in enumerate([None, 0, False, "", []]):
        cache.put(key, value)
        assert cache.get(key, GONE) == value, "A cached value must be found, however empty it looks."
        assert cache.peek(key, GONE) == value, "peek must find a cached value, however empty it looks."
        assert key in cache, "A key is in the cache, whatever its value."


@pytest.mark.group("values")
def test_load_once_and_remember(player):
    """A load is asked once, with the key, and what it said is remembered, even None."""
    cache = player.module("cache").Cache(4)
    for key, value in (("ice", "cold"), ("void", None)):
        load = Loader(value)
        for _ in range(3):
            assert cache.get_or_load(key, load) == value, "get_or_load returns what load returned."
        assert load.calls == [key], "load is called once, with the key; after that the entry is found."
        assert cache.get(key, GONE) == value, "What was loaded is an entry like any other."


@pytest.mark.group("loads")
def test_a_failing_load_leaves_no_trace(player):
    """If load raises, its own exception comes through, and entries and order stay as they were."""
    cache = player.module("cache").Cache(2)
    cache.put("ice", 1)
    cache.put("snow", 2)
    load = Loader(None, OSError("the well is frozen"))
    words = "The exception of a failing load must come out of get_or_load as it is."
    refused(OSError, words, cache.get_or_load, "water", load)
    assert cache.keys() == ["ice", "snow"], (
        "A failing load must neither evict nor store anything, nor change the order."
    )
    refused(OSError, words, cache.get_or_load, "water", load)
    assert len(load.calls) == 2, "A failed load is not remembered: the next call asks again."
    assert told(cache) == [0, 2, 0, 0], "A load that raises was asked for because of a miss, and that miss counts."


@pytest.mark.group("loads")
def test_a_slow_load(player):
    """The life of a loaded entry starts when load has returned, not when it was asked."""
    clock = Clock()
    cache = player.module("cache").Cache(3, ttl=10, clock=clock)
    cache.get_or_load("ice", Loader("cold", clock=clock, takes=8))
    clock.now += 9
    assert cache.get("ice") == "cold", "A loaded entry's life is counted from the moment load has returned."
    clock.now += 1
    assert cache.get("ice", GONE) == GONE, "A loaded entry has the cache's ttl, and ends like any other."


@pytest.mark.group("counts")
def test_hits_and_misses(player):
    """Hits and misses are counted by get and get_or_load alone."""
    cache = player.module("cache").Cache(3)
    cache.put("ice", None)
    cache.get("ice")
    cache.get_or_load("ice", Loader(1))
    cache.get("snow")
    cache.get_or_load("water", Loader(0))
    cache.get("snow", 7)
    assert told(cache) == [2, 3, 0, 0], "A found entry is a hit and a missing one a miss, in get and get_or_load alike."
    cache.peek("ice"), cache.peek("snow"), "ice" in cache, cache.keys(), len(cache)
    cache.delete("ice"), cache.clear()
    assert told(cache) == [2, 3, 0, 0], "Looking, listing and removing count as neither."


def meddle_with_stats():
    """Change what stats returned. Gives what stats says afterwards."""
    import cache

    made = cache.Cache(3)
    made.get("snow")
    taken = made.stats()
    taken["hits"], taken["misses"] = 99, 99
    taken.pop("evictions")
    return dict(made.stats())


@pytest.mark.group("counts")
def test_stats_belong_to_the_caller(player):
    """Changing what stats returned changes nothing in the cache."""
    stats = player.drive(meddle_with_stats)
    assert stats == {"hits": 0, "misses": 1, "evictions": 0, "expirations": 0}, (
        f"expected unchanged counts after the caller changed what stats had returned; got {stats}"
    )


@pytest.mark.group("counts")
def test_each_end_is_counted_once(player):
    """An entry that made room counts as evicted, one that ran out as expired, and none as both."""
    clock = Clock()
    cache = player.module("cache").Cache(3, ttl=10, clock=clock)
    for key in ("snow", "ice", "iron"):
        cache.put(key, key)
    cache.put("snow", "new")
    cache.delete("iron")
    cache.put("rock", 1)
    assert told(cache) == [0, 0, 0, 0], "Overwriting and deleting are neither evictions nor expirations."
    cache.put("slate", 2)
    assert told(cache) == [0, 0, 1, 0], "A live entry that has to make room is one eviction."
    clock.now += 10
    assert told(cache) == [0, 0, 1, 3], "An entry whose end has come is one expiration, though nobody has looked at it."
    cache.put("ice", 3)
    cache.put("slate", 4)
    cache.get("rock")
    clock.now += 10
    cache.clear()
    assert told(cache) == [0, 1, 1, 5], (
        "What has expired before a clear has expired, seen or not; each entry counts once."
    )
    cache.put("fog", 5)
    cache.clear()
    clock.now += 10
    assert told(cache) == [0, 1, 1, 5], "What was cleared before its time has not expired."


@pytest.mark.group("counts")
def test_nothing_is_evicted_from_nothing(player):
    """A cache of capacity 0 evicts nothing, however much is put into it."""
    cache = player.module("cache").Cache(0, ttl=5)
    cache.put("ice", 1)
    cache.put("ice", 2)
    cache.get_or_load("snow", Loader(3))
    counts = told(cache)
    assert counts == [0, 1, 0, 0], (
        f"expected 0 hits, 1 miss, 0 evictions and 0 expirations from a cache of capacity 0; got {counts}"
    )


@pytest.mark.group("refusals")
def test_sizes_and_lives_that_make_no_sense(player):
    """A capacity or a life that makes no sense is refused, by the cache and by put, and changes nothing."""
    make = player.module("cache").Cache
    refused(ValueError, "A negative capacity must be refused with a ValueError.", make, -1)
    for capacity in (2.0, "3", None, True):
        refused(TypeError, "A capacity that is no int (True is none) must be refused with a TypeError.", make, capacity)
    cache = make(2)
    cache.put("ice", 1)
    cache.put("snow", 2)
    for error, lives in ((ValueError, (0, -1, float("nan"), float("inf"))), (TypeError, ("5", True, [1]))):
        for life in lives:
            words = "must be refused: ValueError for 0, negative, nan and infinite, TypeError for what is no number."
            refused(error, f"A senseless ttl of a cache {words}", make, 2, life)
            refused(error, f"A senseless ttl of a put {words}", cache.put, "iron", 3, ttl=life)
            refused(error, f"A senseless ttl of a put {words}", cache.put, "ice", 9, ttl=life)
    assert cache.keys() == ["ice", "snow"], "A refused put must change no entry and no order."
    assert cache.peek("ice") == 1, "A refused put must leave the value that was there."


@pytest.mark.group("refusals")
def test_keys_that_cannot_be_hashed(player):
    """A key that can't be hashed is a TypeError in every method that takes a key, and changes nothing."""
    cache = player.module("cache").Cache(2)
    cache.put("ice", 1)
    cache.put("snow", 2)
    load = Loader(3)
    calls = [(cache.put, [["no key"], 3]), (cache.get_or_load, [["no key"], load])]
    calls += [(method, [["no key"]]) for method in (cache.get, cache.peek, cache.delete)]
    words = "A key that can't be hashed must be refused with a TypeError."
    for call, args in calls:
        refused(TypeError, words, call, *args)
    refused(TypeError, words, lambda: ["no key"] in cache)
    refused(TypeError, words, player.module("cache").Cache(0).put, ["no key"], 3)
    assert load.calls == [], "load must not be called for a key that can't be one."
    assert cache.keys() == ["ice", "snow"], "A refused call must change no entry and no order."
    assert told(cache) == [0, 0, 0, 0], "A refused call is neither a hit nor a miss, and evicts nothing."
