"""Promises of the store. Run them with: python -m pytest"""

import os

import pytest

from store import Store

CALLS = [("put", "ink", b"black"), ("put", "pen", b""), ("delete", "ink"), ("put", "ink", b"red\n\x00")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book"


def content(path):
    with Store(path) as store:
        return dict(store.items())


@pytest.fixture
def history(path):
    """(size, content) after each of CALLS, with the empty store in front."""
    with Store(path) as store:
        told = [(0, {})]
        for name, *arguments in CALLS:
            getattr(store, name)(*arguments)
            told.append((path.stat().st_size, dict(store.items())))
    return told


def test_what_is_put_is_there_after_opening_again(path):
    store = Store(path)
    store.put("ink", b"black")
    store.close()
    assert Store(path).get("ink") == b"black"


def test_a_map(path):
    with Store(path) as store:
        store.put("b", b"1")
        store.put("", b"")
        assert store.items() == [("", b""), ("b", b"1")]
        assert store.keys() == ["", "b"] and len(store) == 2
        assert "" in store and "c" not in store
        assert store.get("", b"no") == b"" and store.get("c", 5) == 5
        assert store.delete("b") is True and store.delete("b") is False


def test_cut_at_every_byte(path, history):
    data = path.read_bytes()
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        expected = [state for size, state in history if size <= cut][-1]
        assert content(path) == expected
        with Store(path) as store:
            store.put("next", b"x")
        assert content(path) == {**expected, "next": b"x"}


def test_a_changed_byte_in_the_last_record(path, history):
    data = path.read_bytes()
    for place in range(history[-2][0], len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x20]) + data[place + 1 :])
        assert content(path) == history[-2][1]


def test_a_changed_value_costs_only_its_own_record(path):
    with Store(path) as store:
        store.put("a", b"aaaa")
        store.put("b", b"bbbb")
        store.put("c", b"cccc")
    path.write_bytes(path.read_bytes().replace(b"bbbb", b"bbxb"))
    assert content(path) == {"a": b"aaaa", "c": b"cccc"}


@pytest.mark.parametrize("rubbish", [bytes(5000), b"\xff" * 100, b"rubbish", b"\xabR\x01" + b"\xff" * 16])
def test_rubbish_at_the_end(path, history, rubbish):
    sound = path.read_bytes()
    path.write_bytes(sound + rubbish)
    assert content(path) == history[-1][1]
    assert path.read_bytes() == sound


def test_only_the_end_is_written(path):
    with Store(path) as store:
        before = path.read_bytes()
        for call in (lambda: store.put("a", b"1"), lambda: store.put("a", b"1"), lambda: store.delete("a")):
            call()
            assert path.read_bytes().startswith(before) and path.read_bytes() != before
            before = path.read_bytes()
        store.delete("a")
    assert path.read_bytes() == before


def test_compact(path, tmp_path):
    with Store(tmp_path / "new") as new:
        new.put("a", b"9")
    with Store(path) as store:
        for digit in b"123456789":
            store.put("a", bytes([digit]))
        store.compact()
        assert path.stat().st_size == (tmp_path / "new").stat().st_size
        store.put("b", b"on")
    assert content(path) == {"a": b"9", "b": b"on"}


def test_a_swap_that_fails(path, monkeypatch):
    def refuse(*_):
        raise PermissionError("no")

    with Store(path) as store:
        store.put("a", b"1")
        before = path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", refuse)
            with pytest.raises(PermissionError):
                store.compact()
        assert path.read_bytes() == before and os.listdir(path.parent) == ["book"]
        store.put("b", b"2")
    assert content(path) == {"a": b"1", "b": b"2"}


def test_a_leftover_is_no_hindrance(path):
    path.with_name("book.fair").write_bytes(b"half a copy")
    with Store(path) as store:
        store.put("a", b"1")
        store.compact()
    assert content(path) == {"a": b"1"}


@pytest.mark.parametrize("key, value, error", [(1, b"", TypeError), ("a", "b", TypeError), ("a", bytearray(), TypeError), ("\udc80", b"", ValueError)])
def test_refusals(path, key, value, error):
    with Store(path) as store:
        before = path.read_bytes()
        with pytest.raises(error):
            store.put(key, value)
        assert path.read_bytes() == before and len(store) == 0


def test_not_ours(path):
    path.write_bytes(b"TORN UP")
    with pytest.raises(ValueError):
        Store(path)
    assert path.read_bytes() == b"TORN UP"


def test_closed(path):
    store = Store(path)
    store.close()
    store.close()
    for call in (store.keys, store.items, store.compact, lambda: len(store), lambda: store.get("a"), lambda: "a" in store):
        with pytest.raises(ValueError):
            call()
