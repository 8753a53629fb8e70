import pytest

from cache import Cache


@pytest.mark.parametrize("value", [None, 0, "", False])
def test_values_that_look_empty(make, value):
    cache = make(a=value)
    assert cache.get("a", "nothing") is value
    assert cache.get_or_load("a", pytest.fail) is value


def test_load(make, time):
    cache = make(ttl=1)

    def load(key):
        time.now += 5
        return key.upper()

    assert cache.get_or_load("a", load) == "A"
    assert cache.get_or_load("a", pytest.fail) == "A"
    assert cache.stats()["hits"] == cache.stats()["misses"] == 1


def test_load_that_fails(make):
    cache = make(2, a=1, b=2)
    with pytest.raises(LookupError):
        cache.get_or_load("c", {}.__getitem__)
    assert cache.keys() == ["a", "b"]
    assert cache.stats()["misses"] == 1


@pytest.mark.parametrize("capacity, error", [(True, TypeError), (2.0, TypeError), (-1, ValueError)])
def test_bad_capacity(capacity, error):
    with pytest.raises(error):
        Cache(capacity)


@pytest.mark.parametrize("ttl, error", [
    (True, TypeError), ("2", TypeError), (0, ValueError), (-2, ValueError),
    (float("inf"), ValueError), (float("nan"), ValueError),
])
def test_bad_ttl(make, ttl, error):
    cache = make(1, a=1)
    with pytest.raises(error):
        cache.put("b", 2, ttl=ttl)
    assert cache.keys() == ["a"]


def test_unhashable_key(make):
    cache = make(1, a=1)
    for call in (cache.get, cache.peek, cache.delete, lambda key: cache.put(key, 1)):
        with pytest.raises(TypeError):
            call([])
    assert cache.keys() == ["a"]
    assert cache.stats()["misses"] == 0
