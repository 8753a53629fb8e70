import os

import pytest

from store import Store


def test_last_word_counts(path):
    with Store(path) as store:
        store.put("x", b"1")
        store.put("x", b"2")
        store.put("y", b"3")
        assert store.delete("y") is True and store.delete("y") is False
        assert "y" not in store and store.get("y", 0) == 0
        assert len(store) == 1
    with Store(str(path)) as store:
        assert store.items() == [("x", b"2")]


@pytest.mark.parametrize("key", ["", "\n", "\u03a9", "\U0001f4d6", "a\0b"])
def test_odd_keys(path, key):
    with Store(path) as store:
        store.put(key, b"")
    with Store(path) as store:
        assert store.keys() == [key] and store.get(key, b"no") == b""


def test_compact(path, three):
    with Store(path) as store:
        store.put("a", b"new")
        store.delete("b")
        before = path.stat().st_size
        store.compact()
        assert path.stat().st_size < before
        store.put("d", b"delta")
    with Store(path) as store:
        assert store.items() == [("a", b"new"), ("c", b"\n\0gamma"), ("d", b"delta")]


def test_failed_swap(path, three, monkeypatch):
    def fail(*_):
        raise OSError

    before = path.read_bytes()
    with Store(path) as store:
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", fail)
            with pytest.raises(OSError):
                store.compact()
        assert path.read_bytes() == before and os.listdir(path.parent) == ["book"]
        store.put("d", b"delta")
    with Store(path) as store:
        assert len(store) == 4


@pytest.mark.parametrize("call", [
    lambda s: s.put(b"k", b""), lambda s: s.put("k", "v"), lambda s: s.put("k", None), lambda s: s.get(0), lambda s: None in s])
def test_types(path, call):
    with Store(path) as store, pytest.raises(TypeError):
        call(store)


def test_values(path, tmp_path):
    with Store(path) as store, pytest.raises(ValueError):
        store.put("\ud8aa", b"")
    with pytest.raises(ValueError):
        store.keys()
    path.write_bytes(b"Title of another")
    with pytest.raises(ValueError):
        Store(path)
    assert path.read_bytes() == b"Title of another"
    with pytest.raises(OSError):
        Store(tmp_path)
