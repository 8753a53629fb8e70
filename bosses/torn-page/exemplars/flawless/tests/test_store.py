"""Promises of the store, most of them kept on a file that somebody has damaged."""

import os

import pytest

from store import Store

LIFE = [("ash", b"grey"), ("", b""), ("ash", b"white"), ("elm", None), ("\u00e9\n", b"\0\n"), ("ash", None)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book"


def change(store, key, value):
    return store.delete(key) if value is None else store.put(key, value)


def reopened(path):
    with Store(path) as store:
        return store.items()


def lived(path):
    """A file, its size after each change, and the items then."""
    steps, model = [], {}
    with Store(path) as store:
        steps.append((path.stat().st_size, []))
        for key, value in LIFE:
            change(store, key, value)
            if value is None:
                model.pop(key, None)
            else:
                model[key] = value
            steps.append((path.stat().st_size, sorted(model.items())))
    return path.read_bytes(), steps


class TestKeeping:
    def test_a_store_is_a_map(self, path):
        with Store(path) as store:
            store.put("b", b"1")
            store.put("a", b"2")
            store.put("b", b"")
            assert store.keys() == ["a", "b"]
            assert store.items() == [("a", b"2"), ("b", b"")]
            assert store.get("b", b"x") == b""
            assert store.get("c") is None
            assert store.get("c", 7) == 7
            assert "a" in store
            assert "c" not in store
            assert len(store) == 2

    def test_delete_tells_whether_it_was_there(self, path):
        with Store(path) as store:
            store.put("a", b"1")
            assert store.delete("a") is True
            size = path.stat().st_size
            assert store.delete("a") is False
            assert path.stat().st_size == size
        assert reopened(path) == []

    def test_large_values(self, path):
        with Store(path) as store:
            store.put("a", bytes(range(256)) * 4000)
            store.put("b", b"1")
        assert reopened(path) == [("a", bytes(range(256)) * 4000), ("b", b"1")]


class TestDurability:
    def test_a_cut_at_any_byte(self, path):
        content, steps = lived(path)
        for cut in range(len(content) + 1):
            path.write_bytes(content[:cut])
            expected = [items for size, items in steps if size <= cut][-1:] or [[]]
            assert reopened(path) == expected[0]
            with Store(path) as store:
                store.put("new", b"leaf")
            assert reopened(path) == sorted([*expected[0], ("new", b"leaf")])

    def test_a_changed_byte_anywhere(self, path):
        content, steps = lived(path)
        for at in range(steps[0][0], len(content)):
            changed = bytearray(content)
            changed[at] ^= 0x10
            path.write_bytes(changed)
            assert reopened(path) == [items for size, items in steps if size <= at][-1]

    @pytest.mark.parametrize("tail", [b"\0" * 13, b"\0" * 100, b"\xff" * 50, b"x"])
    def test_rubbish_is_cut_off(self, path, tail):
        content, steps = lived(path)
        path.write_bytes(content + tail)
        assert reopened(path) == steps[-1][1]
        assert path.read_bytes() == content

    def test_old_bytes_stay(self, path):
        with Store(path) as store:
            for key, value in LIFE:
                before = path.read_bytes()
                change(store, key, value)
                assert path.read_bytes().startswith(before)

    def test_opening_a_sound_file_changes_nothing(self, path):
        content, _ = lived(path)
        reopened(path)
        assert path.read_bytes() == content


class TestCompaction:
    def test_only_what_lives_is_copied(self, path):
        _, steps = lived(path)
        with Store(path) as store:
            store.compact()
            assert store.items() == steps[-1][1]
            compacted = path.read_bytes()
            store.put("new", b"leaf")
            assert path.read_bytes().startswith(compacted)
        assert ("new", b"leaf") in reopened(path)
        with Store(path.with_name("fresh")) as fresh:
            for key, value in steps[-1][1]:
                fresh.put(key, value)
        assert len(compacted) == path.with_name("fresh").stat().st_size

    def test_a_failed_swap_changes_nothing(self, path, monkeypatch):
        content, steps = lived(path)

        def fail(source, target):
            assert reopened(source) == steps[-1][1]
            raise PermissionError(target)

        monkeypatch.setattr(os, "replace", fail)
        with Store(path) as store:
            with pytest.raises(PermissionError):
                store.compact()
            assert path.read_bytes() == content
            assert os.listdir(path.parent) == ["book"]
            store.put("new", b"leaf")
            assert ("new", b"leaf") in store.items()
        assert reopened(path) == sorted([*steps[-1][1], ("new", b"leaf")])

    def test_a_leftover_hinders_nothing(self, path):
        _, steps = lived(path)
        path.with_name("book.new").write_bytes(b"half a file")
        with Store(path) as store:
            store.compact()
        assert reopened(path) == steps[-1][1]
        assert os.listdir(path.parent) == ["book"]


class TestRefusals:
    @pytest.mark.parametrize("key", [b"a", 1, None])
    def test_keys_are_text(self, path, key):
        with Store(path) as store:
            for call in (store.get, store.delete, store.__contains__, lambda key: store.put(key, b"1")):
                with pytest.raises(TypeError):
                    call(key)
            assert len(store) == 0

    @pytest.mark.parametrize("value", ["a", bytearray(b"a"), None])
    def test_values_are_bytes(self, path, value):
        with Store(path) as store, pytest.raises(TypeError):
            store.put("a", value)
        assert reopened(path) == []

    def test_a_surrogate_is_no_key(self, path):
        with Store(path) as store, pytest.raises(ValueError):
            store.put("\ud800", b"1")
        assert reopened(path) == []

    def test_a_closed_store_is_closed(self, path):
        store = Store(path)
        store.put("a", b"1")
        store.close()
        store.close()
        calls = (store.keys, store.items, store.compact, store.__len__, store.__enter__)
        for call in (*calls, lambda: store.put("b", b""), lambda: store.get("a"), lambda: store.delete("b")):
            with pytest.raises(ValueError):
                call()

    @pytest.mark.parametrize("content", [b"x", b"somebody else's table", b"torn pagf 1\n"])
    def test_another_file_is_left_alone(self, path, content):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="no store"):
            Store(path)
        assert path.read_bytes() == content

    def test_a_missing_folder(self, path):
        with pytest.raises(FileNotFoundError):
            Store(path / "deeper")
