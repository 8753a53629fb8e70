"""Promises of the store, most of them kept on a file that somebody has damaged."""

import os
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from store import Store

LIFE = [("ash", b"grey"), ("", b""), ("ash", b"white"), ("elm", None), ("\u00e9\n", b"\0\n"), ("ash", None)]


@pytest.fixture
def path(tmp_path):
    folder = tmp_path / "place"
    folder.mkdir()
    return folder / "book"


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


def on_swap(monkeypatch, witness):
    """Call a witness with source and target before any swap, by whichever name it is done."""
    for name in ("replace", "rename"):
        real = getattr(os, name)

        def swap(source, target, real=real):
            witness(source, target)
            return real(source, target)

        monkeypatch.setattr(os, name, swap)


class TestKeeping:
    def test_a_store_is_a_map(self, path):
        with Store(path) as store:
            assert store.put("b", b"1") is None
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

    def test_keys_are_sorted_as_python_sorts_str(self, path):
        with Store(path) as store:
            for key in ("b", "a", "C"):
                store.put(key, b"")
            assert store.keys() == ["C", "a", "b"]
            assert store.items() == [("C", b""), ("a", b""), ("b", b"")]

    def test_delete_tells_whether_it_was_there(self, path):
        with Store(path) as store:
            store.put("a", b"1")
            assert store.delete("a") is True
            size = path.stat().st_size
            assert store.delete("a") is False
            assert path.stat().st_size == size
        assert reopened(path) == []

    def test_lists_belong_to_the_caller(self, path):
        with Store(path) as store:
            store.put("a", b"1")
            store.keys().clear()
            store.items().clear()
            assert store.keys() == ["a"]
            assert store.items() == [("a", b"1")]

    def test_large_values(self, path):
        with Store(path) as store:
            store.put("a", bytes(range(256)) * 4000)
            store.put("b", b"1")
        assert reopened(path) == [("a", bytes(range(256)) * 4000), ("b", b"1")]

    def test_keys_of_any_kind_are_kept_apart(self, path):
        keys = sorted(["\u00e9", "e\u0301", " a", "a ", "a", "\ufeffa", "a\r\n", "a\n", "k" * 70_000, "\u58a8"])
        with Store(path) as store:
            for key in keys:
                store.put(key, key.encode())
        assert reopened(path) == [(key, key.encode()) for key in keys]

    def test_the_empty_key_is_kept_and_deleted(self, path):
        with Store(path) as store:
            store.put("", b"")
        with Store(path) as store:
            assert store.items() == [("", b"")]
            assert store.delete("") is True
        assert reopened(path) == []

    def test_a_path_may_be_text(self, path):
        with Store(str(path)) as store:
            store.put("a", b"1")
        assert reopened(path) == [("a", b"1")]


class TestDurability:
    def test_a_finished_call_is_in_the_file(self, path):
        copy = path.with_name("copy")
        with Store(path) as store:
            assert 4 <= path.stat().st_size <= 64
            for key, value in LIFE:
                change(store, key, value)
                shutil.copy(path, copy)
                assert reopened(copy) == store.items()

    def test_a_cut_at_any_byte(self, path):
        content, steps = lived(path)
        for cut in range(len(content) + 1):
            path.write_bytes(content[:cut])
            expected = [items for size, items in steps if size <= cut][-1:] or [[]]
            assert reopened(path) == expected[0]
            with Store(path) as store:
                store.put("new", b"leaf")
            assert reopened(path) == sorted([*expected[0], ("new", b"leaf")])

    def test_a_torn_value_is_not_searched_for_records(self, path):
        content, _ = lived(path)
        with Store(path) as store:
            store.compact()
            before = store.items()
            store.put("book", content * 2)
            after = path.stat().st_size
        os.truncate(path, after - 1)
        assert reopened(path) == before

    def test_a_changed_byte_anywhere(self, path):
        content, steps = lived(path)
        for at in range(steps[0][0], len(content)):
            for mask in (0x10, 0xFF):
                changed = bytearray(content)
                changed[at] ^= mask
                path.write_bytes(changed)
                assert reopened(path) == [items for size, items in steps if size <= at][-1]

    def test_two_bytes_that_changed_places(self, path):
        content, steps = lived(path)
        for at in range(steps[0][0] + 1, len(content)):
            changed = bytearray(content)
            changed[at - 1], changed[at] = changed[at], changed[at - 1]
            if changed != content:
                path.write_bytes(changed)
                assert reopened(path) == [items for size, items in steps if size < at][-1]

    def test_writing_goes_on_where_the_first_record_was(self, path):
        with Store(path) as store:
            start = path.stat().st_size
            store.put("ash", b"grey")
            store.put("elm", b"brown")
        content = bytearray(path.read_bytes())
        content[start] ^= 1
        path.write_bytes(content)
        with Store(path) as store:
            store.put("oak", b"lean")
        assert reopened(path) == [("oak", b"lean")]

    @pytest.mark.parametrize("tail", [b"\0" * 13, b"\0" * 100, b"\xff" * 50, b"x"])
    def test_rubbish_is_not_believed(self, path, tail):
        content, steps = lived(path)
        path.write_bytes(content + tail)
        assert reopened(path) == steps[-1][1]
        with Store(path) as store:
            store.put("new", b"leaf")
        assert path.read_bytes().startswith(content)
        assert reopened(path) == sorted([*steps[-1][1], ("new", b"leaf")])

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
            assert store.compact() is None
            assert store.items() == steps[-1][1]
            compacted = path.read_bytes()
            store.put("new", b"leaf")
            assert path.read_bytes().startswith(compacted)
        assert reopened(path) == sorted([*steps[-1][1], ("new", b"leaf")])
        with Store(path.with_name("fresh")) as fresh:
            for key, value in steps[-1][1]:
                fresh.put(key, value)
        assert len(compacted) <= path.with_name("fresh").stat().st_size

    def test_nothing_alive_is_a_header(self, path):
        with Store(path) as store:
            header = path.read_bytes()
            store.put("a", b"1")
            store.delete("a")
            store.compact()
        assert path.read_bytes() == header

    def test_a_compacted_file_can_be_torn(self, path):
        _, steps = lived(path)
        with Store(path) as store:
            store.compact()
        content, found = path.read_bytes(), []
        for cut in range(len(content)):
            path.write_bytes(content[:cut])
            found.append(reopened(path))
        assert all(set(items) < set(steps[-1][1]) for items in found)

    def test_the_swap_is_of_a_finished_file(self, path, monkeypatch):
        content, steps = lived(path)
        swaps = []

        def see(source, target):
            assert os.path.samefile(os.path.dirname(os.path.abspath(source)), path.parent)
            assert path.read_bytes() == content
            shutil.copy(source, path.parent.with_name("copy"))
            swaps.append(target)

        on_swap(monkeypatch, see)
        with Store(path) as store:
            store.compact()
        assert len(swaps) == 1
        assert reopened(path.parent.with_name("copy")) == steps[-1][1]
        assert os.listdir(path.parent) == ["book"]

    def test_a_failed_swap_changes_nothing(self, path, monkeypatch):
        content, steps = lived(path)

        def fail(source, target):
            raise PermissionError(target)

        with Store(path) as store:
            with monkeypatch.context() as patched:
                on_swap(patched, fail)
                with pytest.raises(PermissionError):
                    store.compact()
            assert path.read_bytes() == content
            assert os.listdir(path.parent) == ["book"]
            store.put("new", b"leaf")
            assert ("new", b"leaf") in store.items()
        assert reopened(path) == sorted([*steps[-1][1], ("new", b"leaf")])

    def test_a_leftover_hinders_nothing(self, path, monkeypatch):
        _, steps = lived(path)
        later = path.parent.with_name("later")
        with Store(path) as store, monkeypatch.context() as patched:
            on_swap(patched, lambda source, target: shutil.copytree(path.parent, later))
            store.compact()
        with Store(later / "book") as store:
            assert store.items() == steps[-1][1]
            store.put("new", b"leaf")
            store.delete("")
            store.compact()
        assert reopened(later / "book") == sorted([*steps[-1][1][1:], ("new", b"leaf")])


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
        with Store(path) as store:
            with pytest.raises(ValueError):
                store.put("\ud800", b"1")
            assert store.keys() == []
        assert reopened(path) == []

    def test_a_closed_store_is_closed(self, path):
        store = Store(path)
        store.put("a", b"1")
        store.close()
        store.close()
        calls = (store.keys, store.items, store.compact, store.__len__, lambda: "a" in store)
        for call in (*calls, lambda: store.put("b", b""), lambda: store.get("a"), lambda: store.delete("b")):
            with pytest.raises(ValueError):
                call()

    def test_with_closes_and_lets_exceptions_pass(self, path):
        store = Store(path)
        with pytest.raises(KeyError, match="mine"), store as same:
            assert same is store
            raise KeyError("mine")
        with pytest.raises(ValueError):
            store.keys()

    def test_another_file_is_left_alone(self, path):
        Store(path).close()
        header = path.read_bytes()
        other = bytes([header[0] ^ 1])
        for content in (
            other,
            other + b"omebody else's table, which is rather long",
            header[:-1] + bytes([header[-1] ^ 1]),
        ):
            path.write_bytes(content)
            with pytest.raises(ValueError):
                Store(path)
            assert path.read_bytes() == content

    def test_a_path_that_can_not_be(self, path):
        with pytest.raises(FileNotFoundError):
            Store(path / "deeper" / "book")
        with pytest.raises(OSError):
            Store(path.parent)
        assert os.listdir(path.parent) == []
