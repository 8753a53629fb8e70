"""Which entry leaves when room is needed. Nothing expires here."""

import pytest

GONE = "gone"


def cache_of(player, capacity):
    """A new cache without a life for its entries."""
    return player.module("cache").Cache(capacity)


def filled(player, capacity, *keys):
    """A cache that holds these keys, put in this order; each value is its key in capitals."""
    cache = cache_of(player, capacity)
    for key in keys:
        cache.put(key, key.upper())
    return cache


def held(cache, *keys):
    """Which of these keys are found, asked without using them."""
    return [key for key in keys if cache.peek(key, GONE) != GONE]


@pytest.mark.group("basics")
def test_what_is_put_is_found(player):
    """What is put is found under its key; another key gives None, or the default."""
    cache = filled(player, 3, "ash", "oak")
    assert cache.get("ash") == "ASH", "A value that was put must come back from get."
    assert cache.get("oak") == "OAK", "A value that was put must come back from get."
    assert cache.get("elm") is None, "A key that was never put gives None."
    assert cache.get("elm", "bark") == "bark", "A key that was never put gives the default that was handed to get."


@pytest.mark.group("basics")
def test_capacity_is_kept(player):
    """Never are more entries held than the capacity says, and the newest is always among them."""
    keys = [f"log {number}" for number in range(9)]
    cache = cache_of(player, 4)
    for count, key in enumerate(keys, start=1):
        cache.put(key, count)
        assert cache.get(key) == count, "The entry that was just put must be there."
        assert len(cache) == min(count, 4), "len must grow with each new entry up to the capacity, and stay there."
    assert len(held(cache, *keys)) == 4, "As many entries must be found as the capacity allows, no more and no fewer."


@pytest.mark.group("basics")
def test_delete_and_clear_remove(player):
    """One entry goes with delete, which says whether there was one, and all go with clear."""
    cache = filled(player, 4, "ash", "oak", "elm")
    assert cache.delete("oak") is True, "delete returns True if there was such an entry."
    assert cache.delete("oak") is False, "delete returns False if there is no such entry."
    assert held(cache, "ash", "oak", "elm") == ["ash", "elm"], "delete removes the one entry it was asked to remove."
    cache.clear()
    assert held(cache, "ash", "oak", "elm") == [], "After clear nothing is found."
    assert len(cache) == 0, "After clear the length is 0."


@pytest.mark.group("use")
def test_finding_saves_from_eviction(player):
    """An entry found with get is used, so another one leaves."""
    cache = filled(player, 3, "ash", "oak", "elm")
    assert cache.get("ash") == "ASH", "A value that was put must come back from get."
    cache.put("fir", "FIR")
    assert held(cache, "ash", "oak", "elm", "fir") == ["ash", "elm", "fir"], (
        "The least recently used entry leaves: finding the oldest one with get makes it the last used."
    )


@pytest.mark.group("use")
def test_overwriting_saves_from_eviction(player):
    """Overwriting an entry is a use of it, changes its value, and costs no other entry its place."""
    cache = filled(player, 3, "ash", "oak", "elm")
    cache.put("ash", "new ash")
    assert held(cache, "ash", "oak", "elm") == ["ash", "oak", "elm"], (
        "Overwriting needs no room: nothing may be evicted for it, even in a full cache."
    )
    assert cache.peek("ash") == "new ash", "After overwriting, the new value is there."
    cache.put("elm", "new elm")
    assert held(cache, "ash", "oak", "elm") == ["ash", "oak", "elm"], (
        "Overwriting needs no room: nothing may be evicted for it, whichever entry it is."
    )
    cache.put("ash", "newer ash")
    cache.put("fir", "FIR")
    assert held(cache, "ash", "oak", "elm", "fir") == ["ash", "elm", "fir"], (
        "Overwriting counts as a use: the entry that was overwritten last is not the next to leave."
    )


@pytest.mark.group("use_edges")
def test_looking_is_not_using(player):
    """Looking at an entry with peek or in does not save it from eviction."""
    for look in (lambda cache: cache.peek("ash") == "ASH", lambda cache: "ash" in cache):
        cache = filled(player, 3, "ash", "oak", "elm")
        assert look(cache), "An entry that is there must be seen."
        cache.put("fir", "FIR")
        assert held(cache, "ash", "oak", "elm", "fir") == ["oak", "elm", "fir"], (
            "peek and in look without using: the entry is as old as before, and leaves when it is its turn."
        )


@pytest.mark.group("use_edges")
def test_room_for_one(player):
    """A cache of capacity 1 holds the last entry that was put, and only that."""
    cache = filled(player, 1, "ash", "oak")
    assert held(cache, "ash", "oak") == ["oak"], "With capacity 1 each new entry takes the place of the one before."
    cache.put("oak", "new oak")
    assert cache.get("oak") == "new oak", "Overwriting the only entry of a cache of capacity 1 keeps it."


@pytest.mark.group("use_edges")
def test_room_for_none(player):
    """A cache of capacity 0 accepts everything and holds nothing."""
    cache = filled(player, 0, "ash", "oak")
    assert len(cache) == 0, "With capacity 0 nothing is ever held."
    assert cache.keys() == [], "With capacity 0 nothing is ever held."
    assert cache.get("ash", GONE) == GONE, "With capacity 0 nothing is ever found."
    assert cache.get_or_load("elm", lambda key: key.upper()) == "ELM", (
        "Even a cache of capacity 0 returns what it loads."
    )
    assert held(cache, "ash", "oak", "elm") == [], "With capacity 0 nothing is ever found."


@pytest.mark.group("use_edges")
def test_a_freed_place_is_used_first(player):
    """After a delete there is room: the next new entry costs nobody a place."""
    cache = filled(player, 3, "ash", "oak", "elm")
    cache.delete("elm")
    cache.put("fir", "FIR")
    assert held(cache, "ash", "oak", "fir") == ["ash", "oak", "fir"], "Where a place is free, nothing is evicted."
    assert cache.keys() == ["ash", "oak", "fir"], "keys is a list, the least recently used key first."
