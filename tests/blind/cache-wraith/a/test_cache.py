from itertools import count

from cache import Cache


def test_order_of_use():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_each_look_takes_a_second():
    ticks = count()
    cache = Cache(3, ttl=3, clock=lambda: next(ticks))
    cache.put("a", 1)
    assert [cache.get("a", "gone") for _ in range(4)][-1] == "gone"


def test_none_is_a_value():
    cache = Cache(1)
    assert cache.get_or_load("a", lambda key: None) is None
    assert cache.get("a", "missing") is None
