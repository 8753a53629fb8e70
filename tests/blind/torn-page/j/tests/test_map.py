import pytest

from store import Store


@pytest.mark.parametrize("key", ["a", "", "\n", "\0", " a ", "A", "e\u0301", "\u00e9", "\U0001f5dd"])
@pytest.mark.parametrize("value", [b"v", b"\n\0\xff", b"x" * 3_000_000], ids=["plain", "odd", "big"])
def test_any_key_and_value_comes_back(path, key, value):
    with Store(path) as store:
        assert store.put(key, value) is None
        assert store.get(key) == value
    with Store(str(path)) as store:
        assert store.items() == [(key, value)]


@pytest.mark.xfail(strict=True, reason="get takes an empty value for none")
def test_an_empty_value_is_a_value(path):
    with Store(path) as store:
        store.put("a", b"")
        assert store.get("a", b"default") == b""


def test_overwriting_and_deleting(path):
    with Store(path) as store:
        store.put("a", b"1")
        store.put("a", b"2")
        store.put("b", b"3")
        assert store.delete("b") is True
        assert store.delete("b") is False
        assert len(store) == 1 and "a" in store and "b" not in store
        assert store.get("b") is None and store.get("b", 7) == 7


def test_lists_are_sorted_and_the_callers(path):
    with Store(path) as store:
        for key in ["b", "B", "a", ""]:
            store.put(key, key.encode())
        assert store.keys() == ["", "B", "a", "b"]
        assert store.items() == [("", b""), ("B", b"B"), ("a", b"a"), ("b", b"b")]
        store.keys().clear()
        store.items().clear()
        assert len(store) == 4


def test_keys_are_not_normalised(path):
    with Store(path) as store:
        store.put("\u00e9", b"1")
        assert "e\u0301" not in store and "\u00c9" not in store


BAD = [
    (lambda s: s.put(1, b""), TypeError), (lambda s: s.put(None, b""), TypeError), (lambda s: s.put(b"a", b""), TypeError),
    (lambda s: s.put("a", "b"), TypeError), (lambda s: s.put("a", bytearray(b"b")), TypeError),
    (lambda s: s.put("a", 1), TypeError), (lambda s: s.put("a", None), TypeError),
    (lambda s: s.get(1), TypeError), (lambda s: s.delete(None), TypeError), (lambda s: b"a" in s, TypeError),
    (lambda s: s.put("\ud800", b""), ValueError),
]


@pytest.mark.parametrize("call, error", BAD)
def test_refusals_change_nothing(path, book, content, call, error):
    before = path.read_bytes()
    with Store(path) as store:
        with pytest.raises(error):
            call(store)
        assert dict(store.items()) == book[-1][1]
    assert path.read_bytes() == before


@pytest.mark.parametrize("call", [lambda s: s.put("a", b""), lambda s: s.delete("a"), Store.compact])
def test_a_closed_store_is_not_written(path, call):
    store = Store(path)
    store.close()
    assert store.close() is None
    with pytest.raises(ValueError):
        call(store)


@pytest.mark.xfail(strict=True, reason="only what writes looks whether the store is closed")
@pytest.mark.parametrize("call", [lambda s: s.get("a"), lambda s: "a" in s, len, Store.keys, Store.items])
def test_a_closed_store_is_not_read(path, call):
    store = Store(path)
    store.close()
    with pytest.raises(ValueError):
        call(store)


def test_with_gives_the_store_and_closes_it(path):
    made = Store(path)
    with pytest.raises(KeyError):
        with made as store:
            assert store is made
            raise KeyError("passes")
    with pytest.raises(ValueError):
        made.put("a", b"")
