import pytest


@pytest.mark.parametrize("start", [-2, 0, 7])
@pytest.mark.parametrize("passed, found", [(0, True), (1.75, True), (2, False), (3, False)])
def test_an_entry_lives_up_to_its_end(make, time, start, passed, found):
    time.now = start
    cache = make(ttl=2, a=1)
    time.now = start + passed
    assert ("a" in cache) is found
    assert cache.get("a", 0) == found
    assert len(cache) == found
    assert cache.stats()["expirations"] == (not found)


def test_put_gives_a_life_of_its_own(make, time):
    cache = make(ttl=2)
    cache.put("long", 1, ttl=4)
    cache.put("ever", 1, ttl=None)
    time.now = 2
    assert cache.keys() == ["long", "ever"]
    time.now = 4
    assert cache.keys() == ["ever"]


def test_overwriting_keeps_the_life_of_its_own(make, time):
    cache = make(ttl=2)
    cache.put("long", 1, ttl=4)
    time.now = 1
    cache.put("long", 2)
    time.now = 4.75
    assert cache.get("long") == 2
    time.now = 5
    assert cache.get("long") is None


def test_overwriting_what_lives_for_ever(make, time):
    cache = make(ttl=2)
    cache.put("ever", 1, ttl=None)
    cache.put("ever", 2)
    time.now = 100
    assert cache.get("ever") == 2


def test_get_does_not_prolong(make, time):
    cache = make(ttl=2, a=1)
    time.now = 1
    cache.get("a")
    time.now = 2
    assert "a" not in cache


def test_the_dead_take_no_place(make, time):
    cache = make(2, a=1)
    cache.put("b", 2, ttl=1)
    time.now = 1
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]
    assert cache.stats() == {"hits": 0, "misses": 0, "evictions": 0, "expirations": 1}
