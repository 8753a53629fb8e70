"""Tests of the store."""

import os

import pytest

from store import HEADER, Store


@pytest.fixture
def store(tmp_path):
    """A new store."""
    return Store(tmp_path / "book")


def test_store_can_be_created(store):
    """The store can be created."""
    assert store is not None


def test_store_creates_file(tmp_path):
    """The file is there after creation."""
    Store(tmp_path / "book")
    assert os.path.exists(tmp_path / "book")


def test_header_is_bytes():
    """The header has a fair size."""
    assert isinstance(HEADER, bytes)
    assert 4 <= len(HEADER) <= 64


def test_put_returns_none(store):
    """put returns None."""
    assert store.put("a", b"1") is None


def test_get(store):
    """get returns what was put."""
    store.put("a", b"1")
    assert store.get("a") == b"1"


def test_get_default(store):
    """get returns the default."""
    assert store.get("a") is None
    assert store.get("a", 3) == 3


def test_delete(store):
    """delete returns a bool."""
    store.put("a", b"1")
    assert isinstance(store.delete("a"), bool)
    assert isinstance(store.delete("a"), bool)


def test_keys_is_list(store):
    """keys returns a list."""
    assert isinstance(store.keys(), list)


def test_items_is_list(store):
    """items returns a list."""
    assert isinstance(store.items(), list)


def test_len(store):
    """len is not negative."""
    assert len(store) >= 0


@pytest.mark.parametrize("value", [b"", b"a", b"\0", b"\n", b"x" * 1000])
def test_values(store, value):
    """All sorts of values can be stored."""
    store.put("key", value)
    assert store.get("key") == value


@pytest.mark.parametrize("key", ["", "a", "\n", " ", "\u00e9"])
def test_keys(store, key):
    """All sorts of keys can be used."""
    store.put(key, b"value")
    assert key in store


def test_compact(store):
    """compact works."""
    store.put("a", b"1")
    store.put("a", b"2")
    assert store.compact() is None
    assert store.get("a") == b"2"


def test_compact_twice(store):
    """compact works twice."""
    store.compact()
    store.compact()
    assert len(store) == 0


def test_reopen(tmp_path):
    """Entries are there after opening again."""
    store = Store(tmp_path / "book")
    store.put("a", b"1")
    store.close()
    assert Store(tmp_path / "book").get("a") == b"1"


def test_damaged_file_opens(tmp_path):
    """A damaged file can be opened."""
    store = Store(tmp_path / "book")
    store.put("a", b"1")
    store.close()
    with open(tmp_path / "book", "ab") as file:
        file.write(b"garbage")
    assert Store(tmp_path / "book") is not None


def test_bad_key(store):
    """A key must be a str."""
    with pytest.raises(TypeError):
        store.put(1, b"1")


def test_bad_value(store):
    """A value must be bytes."""
    with pytest.raises(TypeError):
        store.put("a", "1")


@pytest.mark.parametrize("call", ["get", "delete"])
def test_key_that_can_not_be_encoded(store, call):
    """A key that UTF-8 can not encode is refused."""
    with pytest.raises(ValueError):
        getattr(store, call)("\ud800")


def test_close_twice(store):
    """Closing again does nothing."""
    store.close()
    store.close()
    assert store.closed


def test_failing_swap_is_harmless(store, monkeypatch):
    """compact does not raise."""
    def fail(*args):
        raise OSError("failed")
    monkeypatch.setattr(os, "replace", fail)
    store.put("a", b"1")
    store.compact()
    assert store.get("a") == b"1"
