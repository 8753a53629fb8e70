import pytest

from store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book"


@pytest.fixture
def three(path):
    """A file with three entries; the sizes it had, the empty store's first."""
    sizes = []
    with Store(path) as store:
        sizes.append(path.stat().st_size)
        for key, value in (("a", b"alpha"), ("b", b""), ("c", b"\n\0gamma")):
            store.put(key, value)
            sizes.append(path.stat().st_size)
    return sizes
