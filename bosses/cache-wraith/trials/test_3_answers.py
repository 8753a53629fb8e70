"""What comes back: values as they were, loads, counts, and refusals."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError

pytestmark = pytest.mark.clause("METHODS")

GONE = "gone"
COUNTS = ("hits", "misses", "evictions", "expirations")


class Clock:
    """A clock that shows the time the trial sets."""

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


def expect(got, expected, call):
    """Fail unless this call gave what was expected."""
    assert got == expected, f"expected {expected!r} for {call}; got {got!r}"


def counts_of(cache):
    """The four counts of stats, in the contract's order."""
    stats = cache.stats()
    expect(sorted(stats), sorted(COUNTS), "sorted(stats())")
    return [stats[name] for name in COUNTS]


def raised(call, *args, **kwargs):
    """The error a call raises, or None."""
    try:
        call(*args, **kwargs)
    except PlayerError as error:
        return error
    return None


def refused(error, words, call, *args, **kwargs):
    """Fail unless this call raises the error."""
    got = raised(call, *args, **kwargs)
    assert got is not None, f"expected {error.__name__} for {words}; nothing was raised"
    assert isinstance(got, error), f"expected {error.__name__} for {words}; got {got.type_name}"


@pytest.mark.group("values")
@pytest.mark.advice(
    "Ask whether the key is in the dict, or use a marker object as the default, in every method. Test no value by "
    "its truth, or against None."
)
def test_empty_values_are_values(player):
    """None, 0, False and empty things are values like any other."""
    cache = player.module("cache").Cache(9)
    for key, value in enumerate([None, 0, False, "", []]):
        cache.put(key, value)
        expect(cache.get(key, GONE), value, f"get({key}, 'gone') after put({key}, {value!r})")
        expect(cache.peek(key, GONE), value, f"peek({key}, 'gone') after put({key}, {value!r})")
        expect(key in cache, True, f"{key} in cache after put({key}, {value!r})")
        expect(cache.delete(key), True, f"delete({key}) after put({key}, {value!r})")


@pytest.mark.group("values")
@pytest.mark.advice(
    "If the key is in the dict, return its value, None included. Otherwise call load(key) once, put what it "
    "returns, and return it."
)
def test_load_once_and_remember(player):
    """load is called once, with the key; its result is kept, even None."""
    cache = player.module("cache").Cache(4)
    for key, value in (("ice", "cold"), ("void", None), ("bark", 0)):
        load = Loader(value)
        for _ in range(3):
            expect(cache.get_or_load(key, load), value, f"get_or_load({key!r}, load) where load returns {value!r}")
        expect(load.calls, [key], f"the calls of load after three times get_or_load({key!r}, load)")
        expect(cache.get(key, GONE), value, f"get({key!r}, 'gone') after get_or_load returned {value!r}")


@pytest.mark.group("values")
@pytest.mark.advice(
    "Keep what load returned in a variable, put it, and return the variable: a look-up after put finds nothing if "
    "the capacity is 0."
)
def test_loads_are_returned_without_room(player):
    """A cache of capacity 0 returns what it loads."""
    cache = player.module("cache").Cache(0)
    expect(cache.get_or_load("ice", Loader("cold")), "cold", "get_or_load('ice', load) of Cache(0)")


@pytest.mark.group("loads")
@pytest.mark.advice(
    "Call load first and store after it has returned: its exception then passes, and nothing was evicted."
)
def test_a_failing_load_leaves_no_trace(player):
    """If load raises, that very exception comes out and entries stay as they were."""
    cache = player.module("cache").Cache(2)
    cache.put("ice", 1)
    cache.put("snow", 2)
    before = cache.keys()
    load = Loader(None, OSError("the well is frozen"))
    words = "get_or_load('water', load) where load raises OSError"
    refused(OSError, words, cache.get_or_load, "water", load)
    expect(cache.keys(), before, f"keys() of a full Cache(2) after {words}")
    refused(OSError, f"the second {words}", cache.get_or_load, "water", load)
    expect(len(load.calls), 2, f"the number of calls of load after twice {words}")
    expect(counts_of(cache), [0, 2, 0, 0], f"hits, misses, evictions, expirations after twice {words}")


@pytest.mark.group("loads")
@pytest.mark.advice("Read the clock after load has returned: the life of what it gave starts then.")
def test_a_slow_load(player):
    """A loaded entry's life starts when load has returned, as a put's would then."""
    clock = Clock()
    loading, putting = (player.module("cache").Cache(3, ttl=10, clock=clock) for _ in range(2))
    loading.get_or_load("ice", Loader("cold", clock=clock, takes=8))
    putting.put("frost", "cold")
    for passed, step in ((9, 9), (10, 1)):
        clock.now += step
        words = f"get, {passed} s after a load that took 8 s has returned, ttl=10 (as for an entry put then)"
        expect(loading.get("ice", GONE), putting.get("frost", GONE), words)


@pytest.mark.group("loads")
@pytest.mark.advice("Return nothing from put and clear.")
def test_storing_and_clearing_say_nothing(player):
    """put and clear return None, whatever they stored, replaced or removed."""
    cache = player.module("cache").Cache(1)
    for key, value in (("ice", 1), ("ice", 2), ("snow", 3)):
        expect(cache.put(key, value), None, f"put({key!r}, {value}) into Cache(1)")
    expect(cache.clear(), None, "clear() of a cache that holds 'snow'")


@pytest.mark.group("counts")
@pytest.mark.advice("Count a hit or a miss in one place that get and get_or_load share, and nowhere else.")
def test_hits_and_misses(player):
    """Hits and misses are counted by get and get_or_load alone."""
    cache = player.module("cache").Cache(9)
    cache.put("ice", 5)
    cache.get("ice")
    cache.get_or_load("ice", Loader(1))
    cache.get("snow")
    cache.get_or_load("water", Loader(6))
    cache.get("snow", 7)
    expect(counts_of(cache)[:2], [2, 3], "hits, misses after two calls that found and three that did not")
    cache.peek("ice"), cache.peek("snow"), "ice" in cache, cache.keys(), len(cache)
    cache.delete("ice"), cache.clear()
    expect(counts_of(cache)[:2], [2, 3], "hits, misses after further calls of peek, in, keys, len, delete and clear")


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
@pytest.mark.advice("Make a new dict in every call of stats.")
def test_stats_belong_to_the_caller(player):
    """Changing what stats returned changes nothing in the cache."""
    stats = player.drive(meddle_with_stats)
    assert stats == {"hits": 0, "misses": 1, "evictions": 0, "expirations": 0}, (
        f"expected unchanged counts after the caller changed what stats had returned; got {stats}"
    )


def count_departures(capacity, moves):
    """Evictions and expirations: by stats, by what get finds around each move, and by what len says there.

    Whatever leaves at a put was evicted, and whatever leaves when the clock moves has expired; right or wrong. Each
    question goes to a cache of its own, because asking may change things.
    """
    import cache

    def played(count):
        now = [100]
        made = cache.Cache(capacity, 10, lambda: now[0])
        made.clear()
        start = made.stats()
        for name, *args in moves[:count]:
            if name == "tick":
                now[0] += 10
            else:
                getattr(made, name)(*args)
        return made, start

    def found(count):
        made, _ = played(count)
        return {key for key in names if made.get(key, "gone") != "gone"}

    def lost(name, steps):
        return sum(len(steps[i] - steps[i + 1]) for i, move in enumerate(moves) if move[0] == name)

    names = [move[1] for move in moves if move[0] == "put"]
    made, start = played(len(moves))
    stats = made.stats()
    by_get = [found(count) for count in range(len(moves) + 1)]
    by_len = [set(range(len(played(count)[0]))) for count in range(len(moves) + 1)]
    counted = [stats[name] - start[name] for name in ("evictions", "expirations")]
    return counted, [lost("put", by_get), lost("tick", by_get)], [lost("put", by_get), lost("tick", by_len)]


DEPARTURES = [
    (9, ["put a 1", "put b 2", "put a 3", "delete b"], [0, 0]),
    (3, ["put a 1", "put b 2", "put c 3", "put d 4"], [1, 0]),
    (9, ["put a 1", "put b 2", "put c 3", "tick"], [0, 3]),
    (9, ["put a 1", "put b 2", "tick", "clear"], [0, 2]),
    (9, ["put a 1", "clear", "tick"], [0, 0]),
    (9, ["put a 1", "put b 2", "delete a", "tick"], [0, 1]),
    (1, ["put a 1", "put b 2", "tick"], [1, 1]),
    (9, ["put a 1", "tick", "put b 2", "tick", "get b"], [0, 2]),
    (0, ["put a 1", "put a 2", "put b 3"], [0, 0]),
]
"""Capacity, calls, evictions and expirations."""


@pytest.mark.group("counts")
@pytest.mark.advice(
    "Take the expired out, and count them, before put evicts and before stats answers. With capacity 0, put counts "
    "nothing."
)
def test_each_departure_is_counted_once(player):
    """Evicted entries count as evictions, expired ones as expirations, none as both.

    Where other entries leave than should, counts that fit those that do leave are right.
    """
    for capacity, calls, expected in DEPARTURES:
        moves = [(method, *rest) for method, *rest in map(str.split, calls)]
        got, *seen = player.drive(count_departures, capacity, moves)
        shown = ", ".join(calls).replace("tick", "clock += 10")
        if got not in seen:
            expect(got, expected, f"evictions, expirations after Cache({capacity}, ttl=10): {shown}")


@pytest.mark.group("counts")
@pytest.mark.advice("Let clear remove entries alone: what was counted stays.")
def test_the_tally_survives_clear(player):
    """clear removes entries and keeps the counts."""
    cache = player.module("cache").Cache(1)
    cache.put("ice", 1)
    cache.get("ice")
    cache.put("snow", 2)
    before = counts_of(cache)
    cache.clear()
    expect(counts_of(cache), before, "hits, misses, evictions, expirations after clear (as before it)")


@pytest.mark.group("refusals")
@pytest.mark.clause("REFUSALS")
@pytest.mark.advice("Check the capacity first: TypeError unless it is an int and not a bool, ValueError below 0.")
def test_sizes_that_make_no_sense(player):
    """A capacity that isn't an int, or is negative, is refused."""
    for capacity in (-1, 2.0, "3", None, True):
        error = ValueError if capacity == -1 else TypeError
        refused(error, f"Cache({capacity!r})", player.module("cache").Cache, capacity)


@pytest.mark.group("refusals")
@pytest.mark.clause("REFUSALS")
@pytest.mark.advice(
    "Check a ttl before anything changes: TypeError for a bool, ValueError unless it is finite and above 0."
)
def test_lives_that_make_no_sense(player):
    """An invalid ttl is refused by the cache and by put, and changes nothing."""
    make = player.module("cache").Cache
    cache = make(2)
    cache.put("ice", 1)
    cache.put("snow", 2)
    for life in (0, -1, float("nan"), float("inf"), "5", True, [1]):
        error = ValueError if type(life) in (int, float) else TypeError
        before = cache.keys()
        refused(error, f"Cache(2, ttl={life!r})", make, 2, life)
        for key in ("iron", "ice"):
            refused(error, f"put({key!r}, 9, ttl={life!r})", cache.put, key, 9, ttl=life)
        expect(cache.keys(), before, f"keys() after put with ttl={life!r} was refused")
        expect(cache.peek("ice"), 1, f"peek('ice') after put('ice', 9, ttl={life!r}) was refused")


@pytest.mark.group("refusals")
@pytest.mark.clause("REFUSALS")
@pytest.mark.advice("Call hash(key) first in every method that takes a key, before load is called or anything changes.")
def test_keys_that_cannot_be_hashed(player):
    """A key that can't be hashed raises TypeError everywhere and changes nothing."""
    cache = player.module("cache").Cache(2)
    cache.put("ice", 1)
    cache.put("snow", 2)
    before, load = [cache.keys(), counts_of(cache)], Loader(3)
    for name, *args in (("put", 3), ("get_or_load", load), ("get",), ("peek",), ("delete",)):
        refused(TypeError, f"{name} with the key ['no key']", getattr(cache, name), ["no key"], *args)
    refused(TypeError, "['no key'] in cache", lambda: ["no key"] in cache)
    refused(TypeError, "Cache(0).put(['no key'], 3)", player.module("cache").Cache(0).put, ["no key"], 3)
    expect(load.calls, [], "the calls of load after get_or_load(['no key'], load) was refused")
    expect([cache.keys(), counts_of(cache)], before, "keys() and the four counts after keys were refused")
