import pytest


def test_least_recently_used_leaves(make):
    cache = make(a=1, b=2, c=3)
    cache.get("a")
    cache.put("b", 22)
    cache.put("d", 4)
    assert cache.keys() == ["a", "b", "d"]
    assert cache.stats()["evictions"] == 1


@pytest.mark.parametrize("name", ["peek", "__contains__"])
def test_looking_changes_nothing(make, name):
    cache = make(a=1, b=2, c=3)
    assert getattr(cache, name)("a")
    assert cache.keys() == ["a", "b", "c"]
    assert cache.stats()["hits"] == 0


@pytest.mark.parametrize("capacity, keys", [(0, []), (1, ["b"]), (2, ["a", "b"])])
def test_capacity(make, capacity, keys):
    cache = make(capacity, a=1, b=2)
    assert cache.keys() == keys
    assert len(cache) == len(keys)


def test_deleting_frees_a_place(make):
    cache = make(a=1, b=2, c=3)
    assert cache.delete("b") is True
    assert cache.delete("b") is False
    cache.put("d", 4)
    assert cache.keys() == ["a", "c", "d"]


def test_clear(make):
    cache = make(a=1)
    cache.get("a")
    cache.clear()
    assert cache.keys() == []
    assert cache.stats()["hits"] == 1
