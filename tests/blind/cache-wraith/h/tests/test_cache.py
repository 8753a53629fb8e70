"""Promises of the cache. Run them with: python -m pytest"""

from cache import Cache


def test_what_is_put_is_found():
    cache = Cache(2)
    cache.put("ice", "cold")
    assert cache.get("ice") == "cold"
