import pytest

from store import Store


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "book")


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


def test_values_survive(path):
    with Store(path) as store:
        store.put("b", b"1")
        store.put("a", b"2")
        assert store.delete("b")
        assert not store.delete("b")
    with Store(path) as store:
        assert store.items() == [("a", b"2")]
        assert "a" in store
        assert len(store) == 1


def test_every_cut(path):
    sizes, keys = [], []
    with Store(path) as store:
        for key in ["a", "b", "c"]:
            sizes.append(len(content_of(path)))
            store.put(key, key.encode() * 3)
    content = content_of(path)
    for cut in range(len(content)):
        with open(path, "wb") as file:
            file.write(content[:cut])
        with Store(path) as store:
            keys = ["a", "b", "c"][: max(0, sum(size <= cut for size in sizes) - 1)]
            assert store.keys() == keys
            store.put("z", b"")
        with Store(path) as store:
            assert store.keys() == [*keys, "z"]


def test_a_changed_byte(path):
    with Store(path) as store:
        store.put("a", b"1")
        store.put("b", b"2")
    content = content_of(path)
    with open(path, "wb") as file:
        file.write(content[:-1] + b"3")
    with Store(path) as store:
        assert store.items() == [("a", b"1")]


def test_compact(path):
    with Store(path) as store:
        for number in range(20):
            store.put("a", b"%d" % number)
        before = len(content_of(path))
        store.compact()
        assert len(content_of(path)) < before
        store.put("b", b"")
    with Store(path) as store:
        assert store.items() == [("a", b"19"), ("b", b"")]
