"""When entries end, by the clock that was handed in, and what is left of them: nothing."""

import pytest

GONE = "gone"


class Clock:
    """A clock that stands where the trial sets it."""

    def __init__(self, now=1000):
        self.now = now

    def __call__(self):
        """The time."""
        return self.now


@pytest.fixture
def clock():
    """A clock that stands still until it is moved."""
    return Clock()


def cache_with(player, clock, capacity=4, ttl=10):
    """A new cache on this clock."""
    return player.module("cache").Cache(capacity, ttl=ttl, clock=clock)


@pytest.mark.group("expiry")
def test_a_life_ends_by_the_clock_handed_in(player, clock):
    """An entry is found while its life lasts, and no longer when the clock handed in has passed its end."""
    cache = cache_with(player, clock)
    cache.put("ice", "cold")
    clock.now += 4
    assert cache.get("ice") == "cold", "Within its life an entry must be found."
    clock.now += 60
    assert cache.get("ice", GONE) == GONE, "When the injected clock has passed the end of its life, an entry is gone."


@pytest.mark.group("expiry")
def test_without_a_life_entries_stay(player, clock):
    """Without a ttl entries do not age, and without a clock the machine's own is used."""
    cache = cache_with(player, clock, ttl=None)
    cache.put("stone", "grey")
    clock.now += 10**9
    assert cache.get("stone") == "grey", "A cache without ttl keeps its entries however late it gets."
    plain = player.module("cache").Cache(2, 3600)
    plain.put("stone", "grey")
    assert plain.get("stone") == "grey", "A cache that is given no clock must work, and an hour is not over at once."


@pytest.mark.group("lifetimes")
def test_the_instant_of_the_end(player, clock):
    """An entry is live until just before its end, and gone at the end itself."""
    cache = cache_with(player, clock, ttl=2.5)
    cache.put("ice", "cold")
    clock.now += 2.25
    assert cache.get("ice") == "cold", "Just before t + d the entry is still live."
    clock.now += 0.25
    assert cache.get("ice", GONE) == GONE, "At exactly t + d the entry has expired: live means clock < t + d."


@pytest.mark.group("lifetimes")
def test_a_life_of_its_own(player, clock):
    """A ttl given to put is the life of that entry alone: shorter, longer, or for ever."""
    cache = cache_with(player, clock)
    cache.put("snow", 1, ttl=3)
    cache.put("ice", 2)
    cache.put("rock", 3, ttl=30)
    cache.put("iron", 4, ttl=None)
    keys = ("snow", "ice", "rock", "iron")

    def found():
        return [cache.get(key, GONE) != GONE for key in keys]

    clock.now += 5
    assert found() == [False, True, True, True], "A shorter ttl given to put ends that entry earlier, and no other."
    clock.now += 10
    assert found() == [False, False, True, True], (
        "A longer ttl given to put lets that entry outlive the cache's own ttl."
    )
    clock.now += 10**6
    assert found() == [False, False, False, True], (
        "ttl=None given to put means for ever; it is not the same as giving no ttl."
    )


@pytest.mark.group("lifetimes")
def test_overwriting_starts_a_new_life(player, clock):
    """Overwriting gives an entry a new life from now on, as long as the put says, or else as the cache's ttl."""
    cache = cache_with(player, clock)
    cache.put("ice", "old")
    cache.put("rock", "old", ttl=None)
    clock.now += 8
    cache.put("ice", "new")
    cache.put("rock", "new")
    clock.now += 8
    assert cache.get("ice") == "new", "Overwriting starts a new life, counted from the moment of overwriting."
    clock.now += 8
    assert cache.get("ice", GONE) == GONE, "The new life ends like any other."
    assert cache.get("rock", GONE) == GONE, (
        "Overwritten without a ttl, an entry has the cache's, whatever it had before."
    )


@pytest.mark.group("lifetimes")
def test_finding_does_not_prolong(player, clock):
    """However often an entry is found, it ends when it would have ended."""
    cache = cache_with(player, clock)
    cache.put("ice", "cold")
    for _ in range(3):
        clock.now += 3
        assert cache.get("ice") == "cold", "Within its life an entry must be found."
    clock.now += 3
    assert cache.get("ice", GONE) == GONE, "A get is a use, but it never prolongs a life."


@pytest.mark.group("ghosts")
def test_the_dead_make_room_first(player, clock):
    """No live entry is evicted while an expired one could go, even one that was used more recently."""
    cache = cache_with(player, clock, capacity=3, ttl=None)
    cache.put("stone", 1)
    cache.put("rock", 2)
    cache.put("snow", 3, ttl=5)
    assert cache.get("snow") == 3, "Within its life an entry must be found."
    clock.now += 5
    cache.put("iron", 4)
    assert cache.keys() == ["stone", "rock", "iron"], (
        "An expired entry takes no place: there was room, so no live entry had to leave."
    )


@pytest.mark.group("ghosts")
def test_what_dies_during_a_load_makes_room(player, clock):
    """An entry that expires while a load takes its time makes room for what was loaded."""
    cache = cache_with(player, clock, capacity=2, ttl=None)
    cache.put("stone", 1)
    cache.put("snow", 2, ttl=3)

    def load(key):
        clock.now += 4
        return key.upper()

    assert cache.get_or_load("iron", load) == "IRON", "get_or_load returns what load returned."
    assert cache.keys() == ["stone", "iron"], (
        "By the time load has returned an entry had expired: its place was free, so no live entry had to leave."
    )


@pytest.mark.group("ghosts")
def test_the_dead_are_not_counted(player, clock):
    """Expired entries are not counted, listed, contained, peeked at or deleted."""
    cache = cache_with(player, clock, capacity=9)
    lives = {"snow": 5, "frost": 7, "hail": 8, "ice": 10, "rock": None}
    for key, life in lives.items():
        cache.put(key, key.upper(), ttl=life)
    clock.now += 5
    assert len(cache) == 4, "len counts live entries only."
    clock.now += 2
    assert cache.delete("frost") is False, "Deleting an expired entry removes nothing, and says so."
    clock.now += 1
    assert cache.keys() == ["ice", "rock"], "keys lists live entries only."
    clock.now += 2
    assert "ice" not in cache, "in does not see an expired entry."
    cache.put("sleet", 1, ttl=1)
    clock.now += 1
    assert cache.peek("sleet", GONE) == GONE, "peek does not see an expired entry."


@pytest.mark.group("ghosts")
def test_time_below_zero(player):
    """A clock that starts below zero and passes it is a clock like any other."""
    clock = Clock(-10)
    cache = cache_with(player, clock)
    cache.put("ice", "cold")
    clock.now = -1
    assert cache.get("ice") == "cold", "A life that ends at zero lasts until then."
    clock.now = 0
    assert cache.get("ice", GONE) == GONE, "An end at zero is an end, and not the lack of one."
