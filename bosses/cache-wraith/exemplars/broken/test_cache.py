from cache import Cache


def test_peek():
    cache = Cache(2)
    cache.put("a", 1)
    assert cache.peek("a") == 1


def test_len():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("a", 2)
    assert len(cache) == 1
