"""What the book of leaves promises."""

import pytest

from store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book"


def items_of(path):
    with Store(path) as store:
        return store.items()


def test_written_and_struck_out(path):
    with Store(path) as store:
        store.put("b", b"1")
        store.put("a", b"")
        store.put("b", b"2")
        assert store.keys() == ["a", "b"]
        assert store.delete("a") is True
        assert store.delete("a") is False
        assert len(store) == 1
    assert items_of(path) == [("b", b"2")]


def test_a_torn_leaf_is_passed_over(path):
    with Store(path) as store:
        store.put("a", b"1")
        store.put("b", b"2")
    path.write_bytes(path.read_bytes()[:-3])
    assert items_of(path) == [("a", b"1")]


def test_leaves_behind_damage_are_saved(path):
    with Store(path) as store:
        store.put("a", b"first")
        store.put("b", b"second")
        store.put("c", b"third")
    path.write_bytes(path.read_bytes().replace(b"second", b"sekond"))
    assert items_of(path) == [("a", b"first"), ("c", b"third")]


def test_a_fair_copy(path):
    with Store(path) as store:
        for number in range(9):
            store.put("a", b"%d" % number)
        before = path.stat().st_size
        store.compact()
        assert path.stat().st_size < before
        store.put("b", b"2")
    assert items_of(path) == [("a", b"8"), ("b", b"2")]


@pytest.mark.parametrize("key", [1, b"a", None])
def test_keys_are_text(path, key):
    with Store(path) as store, pytest.raises(TypeError):
        store.put(key, b"1")


def test_values_are_bytes(path):
    with Store(path) as store, pytest.raises(TypeError):
        store.put("a", "1")


def test_another_file_is_refused(path):
    path.write_bytes(b"a table, and none of ours")
    with pytest.raises(ValueError, match="no book"):
        Store(path)


def test_a_shut_book(path):
    store = Store(path)
    store.close()
    with pytest.raises(ValueError, match="shut"):
        store.get("a")
