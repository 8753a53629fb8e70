from cache import Cache


def test_put_and_get():
    cache = Cache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b") is None


def test_lru():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.get("b") is None
    assert cache.get("a") == 1


def test_ttl():
    now = [0]
    cache = Cache(2, 5, lambda: now[0])
    cache.put("a", 1)
    now[0] = 6
    assert cache.get("a") is None
