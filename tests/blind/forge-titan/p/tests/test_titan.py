import json

import pytest

from titan import BatchError, CycleError, JournalError, StaleError, Titan


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "journal")


def test_order(path):
    book = Titan(path)
    assert book.add([{"id": "melt"}, {"id": "cast", "after": ["melt"]}]) == 2
    assert book.take(10) == ("melt", 1)
    assert book.take(10) is None
    assert book.done("melt", 1, 11)
    assert book.take(11) == ("cast", 1)


def test_lease_and_rest(path):
    book = Titan(path)
    book.add([{"id": "a", "backoff": 5}])
    book.take(0, lease=10)
    assert book.status(9)["jobs"][0]["state"] == "running"
    assert book.status(10)["jobs"][0] == {"id": "a", "state": "resting", "attempts": 1, "due": 15}
    assert book.status(15)["jobs"][0]["state"] == "ready"


def test_blocked(path):
    book = Titan(path)
    book.add([{"id": "c", "after": ["b"]}, {"id": "b", "after": ["a"]}, {"id": "a", "attempts": 1}])
    book.take(0)
    book.fail("a", 1, 0)
    assert book.status(0)["counts"]["blocked"] == 2


def test_stale(path):
    book = Titan(path)
    book.add([{"id": "a"}])
    with pytest.raises(StaleError):
        book.done("a", 1, 0)


@pytest.mark.parametrize("batch", [[], {}, [{"id": ""}], [{"id": "a", "attempts": 0}], [{"id": "a", "after": ["b"]}]])
def test_bad_batches(path, batch):
    with pytest.raises(BatchError):
        Titan(path).add(batch)


def test_torn_and_damaged(path):
    book = Titan(path)
    book.add([{"id": "a"}])
    book.add([{"id": "b"}])
    with open(path, "rb") as file:
        whole = file.read()
    with open(path, "wb") as file:
        file.write(whole[:-3])
    assert len(Titan(path).status(0)["jobs"]) == 1
    with open(path, "wb") as file:
        file.write(b"x" + whole[1:])
    with pytest.raises(JournalError) as caught:
        Titan(path)
    assert caught.value.line == 1


def test_cycle(path):
    with pytest.raises(CycleError) as caught:
        Titan(path).add([{"id": "a", "after": ["b"]}, {"id": "b", "after": ["a"]}])
    assert caught.value.path in (["a", "b", "a"], ["b", "a", "b"])


def test_report(path, tmp_path):
    book = Titan(path)
    book.add([{"id": "a"}])
    book.report(str(tmp_path / "report"), 1)
    assert json.loads((tmp_path / "report").read_text()) == book.status(1)
