import pytest

from store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book"


def test_put_and_get(path):
    with Store(path) as book:
        book.put("a", b"1")
        book.put("", b"")
        book.put("a", b"2")
        assert book.get("a") == b"2"
        assert book.get("") == b""
        assert book.get("b", 3) == 3
        assert len(book) == 2


def test_open_again(path):
    with Store(path) as book:
        book.put("b", b"\n\x00 ")
        book.put("ä b", b"x" * 100000)
        book.put("c", b"3")
        assert book.delete("c") is True
        assert book.delete("c") is False
    with Store(path) as book:
        assert book.items() == [("b", b"\n\x00 "), ("ä b", b"x" * 100000)]


def test_compact(path):
    with Store(path) as book:
        for number in range(50):
            book.put("k", b"%d" % number)
        book.compact()
        book.put("l", b"")
        assert book.keys() == ["k", "l"]
    assert path.stat().st_size < 100
    assert Store(path).get("k") == b"49"


def test_torn(path):
    with Store(path) as book:
        book.put("a", b"1")
        book.put("b", b"2")
    path.write_bytes(path.read_bytes()[:-3])
    assert Store(path).keys() == ["a"]
