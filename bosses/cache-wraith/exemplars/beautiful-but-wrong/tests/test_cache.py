"""How the cache behaves."""

import pytest

from cache import Cache


class Clock:
    """A clock to be moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(clock: Clock) -> Cache:
    return Cache(2, ttl=10, clock=clock)


def test_a_full_shelf_gives_up_its_last_entry(cache: Cache) -> None:
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_using_an_entry_keeps_it_alive(cache: Cache, clock: Clock) -> None:
    cache.put("a", 1)
    clock.now = 9
    assert cache.get("a") == 1
    clock.now = 18
    assert cache.get("a") == 1


def test_an_unused_entry_expires(cache: Cache, clock: Clock) -> None:
    cache.put("a", 1)
    clock.now = 10
    assert "a" not in cache
    assert cache.stats()["expirations"] == 1


def test_none_is_a_value(cache: Cache) -> None:
    cache.put("a", None)
    assert cache.get("a", "gone") is None


def test_load_is_asked_once(cache: Cache) -> None:
    asked: list[str] = []

    def load(key: str) -> str:
        asked.append(key)
        return key.upper()

    assert [cache.get_or_load("a", load), cache.get_or_load("a", load)] == ["A", "A"]
    assert asked == ["a"]


def test_a_failing_load_is_passed_on(cache: Cache) -> None:
    def load(key: str) -> str:
        raise LookupError(key)

    with pytest.raises(LookupError):
        cache.get_or_load("a", load)
    assert len(cache) == 0


@pytest.mark.parametrize("ttl", [0, -3, float("inf")])
def test_a_senseless_life_is_refused(ttl: float) -> None:
    with pytest.raises(ValueError, match="ttl"):
        Cache(2, ttl=ttl)


def test_a_senseless_capacity_is_refused() -> None:
    with pytest.raises(TypeError):
        Cache("2")
    with pytest.raises(ValueError, match="capacity"):
        Cache(-1)
