import pytest

from cache import Cache


class ManualClock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_recency():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_expiry_frees_a_place():
    clock = ManualClock()
    cache = Cache(2, ttl=10, clock=clock)
    cache.put("keep", 1, ttl=None)
    cache.put("go", 2)
    clock.now = 10
    cache.put("new", 3)
    assert cache.keys() == ["keep", "new"]
    assert cache.stats() == {"hits": 0, "misses": 0, "evictions": 0, "expirations": 1}


def test_load_once():
    cache = Cache(2)
    assert cache.get_or_load("a", str.upper) == "A"
    assert cache.get_or_load("a", lambda key: 1 / 0) == "A"


def test_failing_load():
    cache = Cache(1)
    cache.put("a", 1)
    with pytest.raises(ZeroDivisionError):
        cache.get_or_load("b", lambda key: 1 / 0)
    assert cache.keys() == ["a"]


@pytest.mark.parametrize("capacity", [True, 1.5, "3", None])
def test_capacity_types(capacity):
    with pytest.raises(TypeError):
        Cache(capacity)


@pytest.mark.parametrize("ttl", [0, -1, float("nan"), float("inf")])
def test_ttl_values(ttl):
    with pytest.raises(ValueError):
        Cache(1, ttl)
