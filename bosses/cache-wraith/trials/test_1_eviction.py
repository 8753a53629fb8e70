"""Which entry leaves when room is needed. Nothing expires here."""

import pytest

pytestmark = pytest.mark.clause("METHODS")

GONE = "gone"
KEYS = ("ash", "oak", "elm")
FILLED = "Cache(3): put ash, oak, elm"


def cache_of(player, capacity):
    """A new cache without a life for its entries."""
    return player.module("cache").Cache(capacity)


def filled(player, capacity, *keys):
    """A cache that holds these keys, put in this order; each value is its key in capitals."""
    cache = cache_of(player, capacity)
    for key in keys:
        cache.put(key, key.upper())
    return cache


def expect(got, expected, call):
    """Fail unless this call gave what was expected."""
    assert got == expected, f"expected {expected!r} for {call}; got {got!r}"


def expect_held(cache, expected, calls, among=()):
    """Fail unless exactly these keys are found after the calls, asked without using them."""
    keys = [*expected, *(key for key in (*KEYS, *among) if key not in expected)]
    found = sorted(key for key in keys if cache.peek(key, GONE) != GONE)
    assert found == sorted(expected), (
        f"expected to find {', '.join(expected) or 'nothing'} after {calls}; found {', '.join(found) or 'nothing'}"
    )


@pytest.mark.group("basics")
@pytest.mark.advice(
    "Keep the entries in a dict by key. Let get return the value if the key is there, and otherwise the default, "
    "which is None."
)
def test_what_is_put_is_found(player):
    """What is put is found under its key; another key gives None, or the default."""
    cache = filled(player, 3, "ash", "oak")
    for key in ("ash", "oak"):
        expect(cache.get(key), key.upper(), f"get({key!r}) after put({key!r}, {key.upper()!r})")
    expect(cache.get("elm"), None, "get('elm'), which was never put")
    expect(cache.get("elm", "bark"), "bark", "get('elm', 'bark'), which was never put")


@pytest.mark.group("basics")
@pytest.mark.clause("A CACHE")
@pytest.mark.advice(
    "In put, if the key is new and len(entries) >= capacity, evict the least recently used entry. Store the new "
    "one only then."
)
def test_capacity_is_kept(player):
    """The cache never holds more than its capacity, and always the newest entry."""
    keys = [f"log {number}" for number in range(9)]
    cache = cache_of(player, 4)
    for count, key in enumerate(keys, start=1):
        cache.put(key, count)
        expect(cache.get(key), count, f"get of entry {count} right after it was put into Cache(4)")
        expect(len(cache), min(count, 4), f"len after {count} puts into Cache(4)")
    found = [key for key in keys if cache.peek(key, GONE) != GONE]
    expect(len(found), 4, "the number of entries that peek finds after 9 puts into Cache(4)")


@pytest.mark.group("basics")
@pytest.mark.advice(
    "Remove the key in delete, and all keys in clear, from everything that get, peek, in, len and keys look at."
)
def test_delete_and_clear_remove(player):
    """delete removes one entry, and clear removes all."""
    cache = filled(player, 4, *KEYS)
    cache.delete("oak")
    expect_held(cache, ["ash", "elm"], "Cache(4): put ash, oak, elm; delete oak")
    cache.clear()
    expect_held(cache, [], "clear")
    expect(len(cache), 0, "len after clear")


@pytest.mark.group("use")
@pytest.mark.clause("USE")
@pytest.mark.advice("Move an entry to the end of the order whenever get finds it, but not where peek or in does.")
def test_finding_saves_from_eviction(player):
    """An entry found with get is used, so another one leaves."""
    cache = filled(player, 3, *KEYS)
    expect(cache.get("ash"), "ASH", "get('ash')")
    cache.put("fir", "FIR")
    expect_held(cache, ["ash", "elm", "fir"], f"{FILLED}; get ash; put fir")


@pytest.mark.group("use")
@pytest.mark.clause("USE", "METHODS")
@pytest.mark.advice("Ask first whether the key is there: overwriting moves the entry to the end and evicts nothing.")
def test_overwriting_saves_from_eviction(player):
    """Overwriting an entry is a use, changes its value, and evicts no other entry."""
    cache = filled(player, 3, *KEYS)
    cache.put("ash", "new ash")
    expect_held(cache, ["ash", "oak", "elm"], f"{FILLED}; put ash again (overwriting needs no room)")
    expect(cache.peek("ash"), "new ash", "peek('ash') after it was overwritten with 'new ash'")
    cache.put("elm", "new elm")
    expect_held(cache, ["ash", "oak", "elm"], f"{FILLED}; put ash and elm again (overwriting needs no room)")
    cache.put("ash", "newer ash")
    cache.put("fir", "FIR")
    expect_held(cache, ["ash", "elm", "fir"], f"{FILLED}; put ash, elm, ash again; put fir")


@pytest.mark.group("use_edges")
@pytest.mark.clause("USE")
@pytest.mark.advice("Let peek and in look an entry up without touching the order.")
def test_looking_is_not_using(player):
    """Looking at an entry with peek or in does not save it from eviction."""
    looks = {"peek": lambda cache: cache.peek("ash"), "in": lambda cache: "ash" in cache}
    for name, look in looks.items():
        cache = filled(player, 3, *KEYS)
        look(cache)
        cache.put("fir", "FIR")
        expect_held(cache, ["oak", "elm", "fir"], f"{FILLED}; look at ash with {name}; put fir")


@pytest.mark.group("use_edges")
@pytest.mark.clause("A CACHE")
@pytest.mark.advice("Evict before a new key is stored, and never the key that is being put.")
def test_room_for_one(player):
    """A cache of capacity 1 holds the last entry that was put, and only that."""
    cache = filled(player, 1, "ash", "oak")
    expect_held(cache, ["oak"], "Cache(1): put ash, oak")
    cache.put("oak", "new oak")
    expect(cache.get("oak"), "new oak", "get('oak') after Cache(1): put ash, oak, oak again")


@pytest.mark.group("use_edges")
@pytest.mark.clause("A CACHE")
@pytest.mark.advice("Return from put at once where the capacity is 0.")
def test_room_for_none(player):
    """A cache of capacity 0 accepts everything and holds nothing."""
    cache = filled(player, 0, "ash", "oak")
    cache.get_or_load("elm", lambda key: key.upper())
    expect(len(cache), 0, "len after Cache(0): put ash, oak; get_or_load elm")
    expect(cache.keys(), [], "keys() after Cache(0): put ash, oak; get_or_load elm")
    expect(cache.get("ash", GONE), GONE, "get('ash', 'gone') after Cache(0): put ash, oak")
    expect_held(cache, [], "Cache(0): put ash, oak; get_or_load elm")


@pytest.mark.group("use_edges")
@pytest.mark.advice("Evict only where every place is taken: count the entries, not the puts.")
def test_a_freed_place_is_used_first(player):
    """After a delete there is room: the next new entry evicts nothing."""
    cache = filled(player, 3, *KEYS)
    cache.delete("elm")
    cache.put("fir", "FIR")
    expect_held(cache, ["ash", "oak", "fir"], f"{FILLED}; delete elm; put fir")
    expect(cache.keys(), ["ash", "oak", "fir"], f"keys() after {FILLED}; delete elm; put fir")


@pytest.mark.group("use_edges")
@pytest.mark.advice("Use the key itself as the key of a dict, without str() or a type beside it.")
def test_keys_that_a_dict_takes_for_one(player):
    """Keys are equal exactly if a dict says so: 1 and 1.0 are, 1 and "1" are not."""
    cache = cache_of(player, 3)
    for key, value in ((1, "int"), ("1", "str"), (1.0, "float")):
        cache.put(key, value)
    calls = "put(1, 'int'); put('1', 'str'); put(1.0, 'float')"
    expect(len(cache), 2, f"len after {calls}")
    for key, value in ((1, "float"), (1.0, "float"), ("1", "str")):
        expect(cache.peek(key, GONE), value, f"peek({key!r}, 'gone') after {calls}")


@pytest.mark.group("use_edges")
@pytest.mark.advice("Return True from delete if the entry was there, and False if not.")
def test_delete_says_what_it_did(player):
    """delete is True if there was such an entry, and False if not."""
    cache = filled(player, 3, *KEYS)
    expect(cache.delete("oak"), True, f"delete('oak') after {FILLED}")
    expect(cache.delete("oak"), False, "delete('oak') again")
    expect(cache.delete("fir"), False, "delete('fir'), which was never put")
