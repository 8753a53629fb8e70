"""Promises of the store. Run them with: python -m pytest"""

import pytest

from store import Store


def test_what_is_put_is_there_after_opening_again(tmp_path):
    store = Store(tmp_path / "book")
    store.put("ink", b"black")
    store.close()
    assert Store(tmp_path / "book").get("ink") == b"black"


def test_delete(tmp_path):
    with Store(tmp_path / "book") as store:
        store.put("a", b"1")
        store.put("b", b"2")
        assert store.delete("a")
        assert not store.delete("a")
    with Store(tmp_path / "book") as store:
        assert store.items() == [("b", b"2")]


def test_torn_record(tmp_path):
    path = tmp_path / "book"
    with Store(path) as store:
        store.put("a", b"1")
        size = path.stat().st_size
        store.put("b", b"2")
    data = path.read_bytes()
    for cut in range(size, len(data)):
        path.write_bytes(data[:cut])
        with Store(path) as store:
            assert store.keys() == ["a"]


def test_value_must_be_bytes(tmp_path):
    with Store(tmp_path / "book") as store:
        with pytest.raises(TypeError):
            store.put("a", "text")


# TODO compact, rubbish
