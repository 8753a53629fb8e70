import pytest

import titan


def test_life(tmp_path):
    book = titan.Titan(str(tmp_path / "j"))
    assert book.add([{"id": "b", "after": ["a"]}, {"id": "a", "backoff": 10}]) == 2
    assert book.take(0, 5) == ("a", 1)
    assert [book.take(now) for now in (4, 5, 14)] == [None, None, None]
    assert book.take(15) == ("a", 2)
    assert book.done("a", 2, 16) and not book.done("a", 2, 17)
    assert [job["state"] for job in book.status(17)["jobs"]] == ["ready", "done"]


def test_circle():
    assert titan.circle({"a": ["b"], "b": ["a"]}) == ["a", "b", "a"]
    assert titan.circle({"a": ["b"], "b": []}) is None


def test_cut(tmp_path):
    path = tmp_path / "j"
    book = titan.Titan(str(path))
    book.add([{"id": "a"}])
    status = book.status(0)
    book.take(0)
    path.write_bytes(path.read_bytes()[:-3])
    assert titan.Titan(str(path)).status(0) == status


def test_refusals(tmp_path):
    book = titan.Titan(str(tmp_path / "j"))
    with pytest.raises(titan.BatchError):
        book.add([])
    with pytest.raises(titan.StaleError):
        book.done("a", 1, 0)
