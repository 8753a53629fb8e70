"""When entries end, by the clock that was handed in, and what is left of them: nothing."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError

pytestmark = pytest.mark.clause("LIFE")

GONE = "gone"


class Clock:
    """A clock that shows the time the trial sets."""

    def __init__(self, now=1000):
        self.now = now

    def __call__(self):
        """The time."""
        return self.now


@pytest.fixture
def clock():
    """A clock that stands still until it is moved."""
    return Clock()


def expect(got, expected, call):
    """Fail unless this call gave what was expected."""
    assert got == expected, f"expected {expected!r} for {call}; got {got!r}"


def cache_with(player, clock, capacity=4, ttl=10):
    """A new cache on this clock."""
    return player.module("cache").Cache(capacity, ttl=ttl, clock=clock)


@pytest.mark.group("expiry")
@pytest.mark.clause("A CACHE", "LIFE")
@pytest.mark.advice(
    "Store self._clock() + ttl as the end in put, and compare it with self._clock() in every look-up. Call the "
    "time module nowhere."
)
def test_a_life_ends_by_the_clock_handed_in(player, clock):
    """An entry is found until the clock that was passed in reaches its end."""
    cache = cache_with(player, clock)
    cache.put("ice", "cold")
    clock.now += 4
    expect(cache.get("ice", GONE), "cold", "get, 4 s into a life of 10 s by the clock that was passed in")
    clock.now += 60
    expect(cache.get("ice", GONE), GONE, "get, 64 s after a put with a life of 10 s by the clock that was passed in")


@pytest.mark.group("expiry")
@pytest.mark.clause("A CACHE")
@pytest.mark.advice(
    "Store None as the end where there is no ttl, and check for it before comparing. Write clock=time.monotonic as "
    "the default."
)
def test_without_a_life_entries_stay(player, clock):
    """Without a ttl, entries do not expire; without a clock, the system's is used."""
    cache = cache_with(player, clock, ttl=None)
    cache.put("stone", "grey")
    clock.now += 10**9
    expect(cache.get("stone", GONE), "grey", "get, a billion seconds after a put into Cache(4, ttl=None)")
    plain = player.module("cache").Cache(2, 3600)
    plain.put("stone", "grey")
    expect(plain.get("stone", GONE), "grey", "get, at once after a put into Cache(2, 3600) without a clock")


@pytest.mark.group("lifetimes")
@pytest.mark.advice("An entry is live while clock() < end: at its end it is gone.")
def test_the_instant_of_the_end(player, clock):
    """An entry is live until just before its end, and gone at the end itself."""
    cache = cache_with(player, clock, ttl=2.5)
    cache.put("ice", "cold")
    clock.now += 2.25
    expect(cache.get("ice", GONE), "cold", "get at t + 2.25 with ttl=2.5")
    clock.now += 0.25
    expect(cache.get("ice", GONE), GONE, "get at t + 2.5 with ttl=2.5, the end itself")


@pytest.mark.group("lifetimes")
@pytest.mark.clause("METHODS")
@pytest.mark.advice("Distinguish a ttl that was not given, by a marker object, from ttl=None, which means for ever.")
def test_a_life_of_its_own(player, clock):
    """A ttl given to put counts for that entry alone: shorter, longer, or for ever."""
    cache = cache_with(player, clock)
    lives = {"snow": 3, "ice": 10, "rock": 30, "iron": None}
    cache.put("ice", 1)
    for key in ("snow", "rock", "iron"):
        cache.put(key, 1, ttl=lives[key])
    for step in (5, 10, 10**6):
        clock.now += step
        for key, life in lives.items():
            given = "no ttl in a cache of ttl=10" if key == "ice" else f"ttl={life} in a cache of ttl=10"
            expected = 1 if life is None or clock.now - 1000 < life else GONE
            expect(cache.get(key, GONE), expected, f"get, {clock.now - 1000} s after a put with {given}")


@pytest.mark.group("lifetimes")
@pytest.mark.clause("METHODS")
@pytest.mark.advice("Compute a new end in every put, from now.")
def test_overwriting_starts_a_new_life(player, clock):
    """Overwriting starts a new life, by the put's ttl or else by the cache's."""
    cache = cache_with(player, clock)
    cache.put("ice", "old")
    cache.put("rock", "old", ttl=None)
    clock.now += 8
    cache.put("ice", "new")
    cache.put("rock", "new")
    clock.now += 8
    expect(cache.get("ice", GONE), "new", "get, 8 s after an overwriting put with ttl=10, 16 s after the first")
    clock.now += 8
    expect(cache.get("ice", GONE), GONE, "get, 16 s after an overwriting put with ttl=10")
    expect(cache.get("rock", GONE), GONE, "get, 16 s after put(ttl=None) was overwritten without a ttl, cache ttl=10")


@pytest.mark.group("lifetimes")
@pytest.mark.clause("METHODS")
@pytest.mark.advice("Set the end of a life in put alone, never in get.")
def test_finding_does_not_prolong(player, clock):
    """However often an entry is found, it expires when it would have anyway."""
    cache = cache_with(player, clock)
    cache.put("ice", "cold")
    for passed in (3, 6, 9):
        clock.now += 3
        expect(cache.get("ice", GONE), "cold", f"get, {passed} s after a put with ttl=10")
    clock.now += 3
    expect(cache.get("ice", GONE), GONE, "get, 12 s after a put with ttl=10 and 3 s after the last get")


@pytest.mark.group("ghosts")
@pytest.mark.advice("Take the expired entries out before put looks for room.")
def test_the_dead_make_room_first(player, clock):
    """Expired entries, even recently used ones, leave before any live entry."""
    cache = cache_with(player, clock, capacity=3, ttl=None)
    cache.put("stone", 1)
    cache.put("rock", 2)
    cache.put("snow", 3, ttl=5)
    expect(cache.get("snow", GONE), 3, "get, at once after a put with ttl=5")
    clock.now += 5
    cache.put("iron", 4)
    expect(
        [cache.get(key, GONE) for key in ("stone", "rock", "iron")],
        [1, 2, 4],
        "get of the three live entries after a put into Cache(3), where the last used of three had expired",
    )


def keeps_room_until_loaded(player):
    """Whether a load that fails evicts nothing from a full cache; that is judged elsewhere."""
    cache = player.module("cache").Cache(1)
    cache.put("stone", 1)
    try:
        cache.get_or_load("iron", {}.__getitem__)
    except PlayerError:
        return cache.get("stone", GONE) == 1
    return True


@pytest.mark.group("ghosts")
@pytest.mark.advice("Read the clock and take the expired out after load has returned, right before storing.")
def test_what_dies_during_a_load_makes_room(player, clock):
    """An entry that expires during a slow load makes room for what was loaded."""
    cache = cache_with(player, clock, capacity=2, ttl=None)
    cache.put("stone", 1)
    cache.put("snow", 2, ttl=3)

    def load(key):
        clock.now += 4
        return 3

    cache.get_or_load("iron", load)
    if keeps_room_until_loaded(player):
        expect(
            [cache.get(key, GONE) for key in ("stone", "iron")],
            [1, 3],
            "get of the live entries after a load into a full Cache(2), during which the last used of two expired",
        )


@pytest.mark.group("ghosts")
@pytest.mark.advice("Take the expired entries out at the beginning of every method.")
def test_the_dead_are_not_counted(player, clock):
    """Expired entries are not counted, listed, contained, peeked at or deleted."""
    cache = cache_with(player, clock, capacity=9)
    lives = {"snow": 5, "frost": 7, "hail": 8, "ice": 10, "rock": None}
    for key, life in lives.items():
        cache.put(key, key.upper(), ttl=life)
    clock.now += 5
    expect(len(cache), 4, "len with 5 entries, of which one has expired")
    clock.now += 2
    # What delete says of a key that was never there is judged elsewhere.
    expect(cache.delete("frost"), cache.delete("bark"), "delete of an expired entry (as for a key that was never put)")
    clock.now += 1
    expect(set(cache.keys()), {"ice", "rock"}, "set(keys()) with 5 entries, of which three have expired")
    clock.now += 2
    expect("ice" in cache, False, "`in` with the key of an expired entry")
    cache.put("sleet", 1, ttl=1)
    clock.now += 1
    expect(cache.peek("sleet", GONE), GONE, "peek of an expired entry")


@pytest.mark.group("ghosts")
@pytest.mark.clause("A CACHE")
@pytest.mark.advice("Check `end is not None`, because an end may be 0 or below.")
def test_time_below_zero(player):
    """A clock that starts below zero and passes zero works like any other."""
    clock = Clock(-10)
    cache = cache_with(player, clock)
    cache.put("ice", "cold")
    clock.now = -1
    expect(cache.get("ice", GONE), "cold", "get at -1 of an entry put at -10 with ttl=10")
    clock.now = 0
    expect(cache.get("ice", GONE), GONE, "get at 0 of an entry put at -10 with ttl=10")
