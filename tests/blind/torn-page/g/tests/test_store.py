"""Promises of the store. Run them with: python -m pytest"""

from store import Store


def test_what_is_put_is_there_after_opening_again(tmp_path):
    store = Store(tmp_path / "book")
    store.put("ink", b"black")
    store.close()
    assert Store(tmp_path / "book").get("ink") == b"black"


def test_delete(tmp_path):
    store = Store(tmp_path / "book")
    store.put("ink", b"black")
    assert store.delete("ink") is True
    store.close()
    assert "ink" not in Store(tmp_path / "book")


def test_half_a_record_is_left_out(tmp_path):
    store = Store(tmp_path / "book")
    store.put("ink", b"black")
    store.close()
    data = (tmp_path / "book").read_bytes()
    (tmp_path / "book").write_bytes(data[:-2])
    assert "ink" not in Store(tmp_path / "book")
