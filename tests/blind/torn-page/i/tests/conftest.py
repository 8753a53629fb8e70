import pytest

from store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book"


@pytest.fixture
def store(path):
    with Store(path) as opened:
        yield opened
