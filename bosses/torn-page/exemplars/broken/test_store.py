from store import Store


def test_delete(tmp_path):
    store = Store(tmp_path / "db")
    store.put("a", b"1")
    assert store.delete("a") is True


def test_len(tmp_path):
    store = Store(tmp_path / "db")
    store.put("a", b"1")
    assert len(store) == 1
