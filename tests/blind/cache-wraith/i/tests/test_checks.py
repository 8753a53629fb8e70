import pytest

from cache import Cache


@pytest.mark.parametrize("capacity", ["3", 3.0, None, True])
def test_capacity_of_a_wrong_type(capacity):
    with pytest.raises(TypeError, match="capacity must be an int"):
        Cache(capacity)


def test_negative_capacity():
    with pytest.raises(ValueError, match="capacity must be zero or more, not -1"):
        Cache(-1)


@pytest.mark.parametrize("ttl", ["3", False, 3j])
def test_ttl_of_a_wrong_type(ttl):
    with pytest.raises(TypeError):
        Cache(3, ttl)
    with pytest.raises(TypeError):
        Cache(3).put("a", 1, ttl=ttl)


@pytest.mark.parametrize("ttl", [0, -1, float("nan"), float("inf"), -0.0])
def test_ttl_that_is_no_life(ttl):
    with pytest.raises(ValueError):
        Cache(3, ttl)
    with pytest.raises(ValueError):
        Cache(3).put("a", 1, ttl=ttl)


def test_key_that_has_no_hash():
    cache = Cache(1)
    cache.put("a", 1)
    with pytest.raises(TypeError):
        cache.put({}, 1)
    with pytest.raises(TypeError):
        cache.get_or_load({}, lambda key: 1)
    assert cache.keys() == ["a"]
    assert cache.stats()["misses"] == 0
