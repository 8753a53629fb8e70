from types import SimpleNamespace

import pytest

from cache import Cache


@pytest.fixture
def time():
    return SimpleNamespace(now=0)


@pytest.fixture
def make(time):
    def build(capacity=3, ttl=None, **entries):
        cache = Cache(capacity, ttl, clock=lambda: time.now)
        for key, value in entries.items():
            cache.put(key, value)
        return cache

    return build
