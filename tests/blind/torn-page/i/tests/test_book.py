"""The store from outside."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from store import Store


def entries(path):
    with Store(path) as store:
        return store.items()


def test_round_trip(store, path):
    store.put("ink", b"black")
    store.put("", b"")
    store.put("\n\t", bytes(range(256)))
    store.put("ink", b"red")
    assert store.delete("ink") is True
    assert store.delete("ink") is False
    assert store.keys() == ["", "\n\t"]
    assert len(store) == 2 and "" in store and "ink" not in store
    store.close()
    assert entries(path) == [("", b""), ("\n\t", bytes(range(256)))]


def test_every_cut(store, path):
    sizes = [path.stat().st_size]
    for number in range(4):
        store.put(f"k{number}", b"v" * number)
        sizes.append(path.stat().st_size)
    store.close()
    whole = path.read_bytes()
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        expected = [(f"k{n}", b"v" * n) for n in range(4) if sizes[n + 1] <= cut]
        assert entries(path) == expected
        with Store(path) as again:
            again.put("z", b"on")
        assert entries(path) == [*expected, ("z", b"on")]


@pytest.mark.parametrize("offset", range(1, 12))
def test_changed_byte(store, path, offset):
    store.put("a", b"first")
    store.put("b", b"second")
    store.close()
    data = bytearray(path.read_bytes())
    data[-offset] ^= 0xFF
    path.write_bytes(data)
    assert entries(path) == [("a", b"first")]


def test_rubbish(store, path):
    store.put("a", b"first")
    store.close()
    sound = path.read_bytes()
    path.write_bytes(sound + b"\xfe rubbish, and more of it than one prefix")
    assert entries(path) == [("a", b"first")]
    assert path.read_bytes() == sound


def test_compact(store, path):
    for number in range(50):
        store.put("k", b"%d" % number)
    before = path.stat().st_size
    store.compact()
    assert path.stat().st_size < before
    store.put("l", b"after")
    assert entries(path) == [("k", b"49"), ("l", b"after")]


def test_failed_swap(store, path, monkeypatch):
    store.put("a", b"1")
    store.put("a", b"2")
    before = path.read_bytes()

    def refuse(*_arguments):
        raise OSError("no swap today")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no swap today"):
        store.compact()
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == ["book"]
    store.put("b", b"3")
    assert entries(path) == [("a", b"2"), ("b", b"3")]


@pytest.mark.parametrize("key, value, error", [
    (1, b"", TypeError), (b"k", b"", TypeError), (None, b"", TypeError),
    ("k", "text", TypeError), ("k", bytearray(), TypeError), ("k", 3, TypeError), ("\udc80", b"", ValueError),
])
def test_bad_put(store, path, key, value, error):
    before = path.read_bytes()
    with pytest.raises(error):
        store.put(key, value)
    assert path.read_bytes() == before and len(store) == 0


def test_closed(store):
    store.close()
    store.close()
    for call in (store.keys, store.items, store.compact, lambda: store.get("a"), lambda: len(store), store.__enter__):
        with pytest.raises(ValueError):
            call()


def test_foreign_file(path):
    path.write_bytes(b"%PDF-1.7")
    with pytest.raises(ValueError):
        Store(path)
    assert path.read_bytes() == b"%PDF-1.7"


def test_command_line_lists_entries(store, path):
    store.put("ink", b"black")
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-m", "tornpage", str(path)], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "'ink'\t5\n"


def test_command_line_wants_a_file():
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-m", "tornpage"], cwd=root, capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
