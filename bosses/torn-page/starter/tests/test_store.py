"""Promises of the store. Run them with: python -m pytest"""

from store import Store


def test_what_is_put_is_there_after_opening_again(tmp_path):
    store = Store(tmp_path / "book")
    store.put("ink", b"black")
    store.close()
    assert Store(tmp_path / "book").get("ink") == b"black"
