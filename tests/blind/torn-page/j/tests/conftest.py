import pytest

from store import Store

CHANGES = [
    ("put", "ink", b"black"),
    ("put", "", b"nameless"),
    ("put", "ink", b"red\n\x00red"),
    ("delete", "ink", None),
    ("put", "\u5899\n", bytes(range(256))),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book"


@pytest.fixture
def content():
    """What a store in a file holds when it is opened."""
    def read(path):
        with Store(path) as store:
            return dict(store.items())
    return read


@pytest.fixture
def book(path):
    """A closed book; the states after each change, as (size of the file, entries)."""
    model = {}
    with Store(path) as store:
        states = [(path.stat().st_size, {})]
        for name, key, value in CHANGES:
            if name == "put":
                store.put(key, value)
                model[key] = value
            else:
                assert store.delete(key) is True
                del model[key]
            states.append((path.stat().st_size, dict(model)))
    return states
