import json

import pytest

import titan
from titan.__main__ import main


def states(book, now):
    return [job["state"] for job in book.status(now)["jobs"]]


def test_order(book):
    assert book.add([{"id": "b", "after": ["a"]}, {"id": "a"}]) == 2
    assert book.take(0) == ("a", 1)
    assert book.take(0) is None
    assert book.done("a", 1, 1) is True
    assert book.done("a", 1, 1) is False
    assert book.take(1) == ("b", 1)


def test_lease_and_rest(book):
    book.add([{"id": "a", "backoff": 10, "attempts": 2}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}])
    book.take(0, 5)
    assert [states(book, now)[0] for now in (4, 5, 14, 15)] == ["running", "resting", "resting", "ready"]
    book.take(15)
    assert book.fail("a", 2, 16)
    assert states(book, 16) == ["failed", "blocked", "blocked"]


@pytest.mark.parametrize("batch", [[], None, [{"id": ""}], [{"id": "a", "attempts": True}], [{"id": "a", "after": ["x"]}]])
def test_refused_batches(book, journal, batch):
    with pytest.raises(titan.BatchError):
        book.add(batch)
    assert not journal.exists()


def test_circle(book):
    with pytest.raises(titan.CycleError) as caught:
        book.add([{"id": "a", "after": ["b"]}, {"id": "b", "after": ["c"]}, {"id": "c", "after": ["a"]}])
    path = caught.value.path
    after = {"a": "b", "b": "c", "c": "a"}
    assert len(path) == 4 and all(after[left] == right for left, right in zip(path, path[1:]))


def test_keys(book, journal):
    batch = [{"id": "a"}, {"id": "b", "after": ["a"]}]
    assert book.add(batch, "k") == 2
    assert titan.Titan(str(journal)).add(batch, "k") == 0
    with pytest.raises(titan.ConflictError):
        book.add([{"id": "c"}], "k")


def test_stale(book):
    with pytest.raises(titan.StaleError):
        book.done("a", 1, 0)


def test_cut(book, journal):
    book.add([{"id": "a"}])
    first = journal.read_bytes()
    book.take(0)
    data = journal.read_bytes()
    for length in range(len(first), len(data)):
        journal.write_bytes(data[:length])
        again = titan.Titan(str(journal))
        assert states(again, 0) == ["ready"]
        assert again.take(0) == ("a", 1)
        assert journal.read_bytes() == data


def test_damage(book, journal):
    book.add([{"id": "a"}])
    book.take(0)
    journal.write_bytes(journal.read_bytes().replace(b"attempt", b"Attempt", 1).replace(b'"a"', b'"b"', 1))
    with pytest.raises(titan.JournalError) as caught:
        titan.Titan(str(journal))
    assert caught.value.line == 1


def test_commands(journal, tmp_path, capsys):
    (tmp_path / "b").write_text('[{"id": "a"}]')
    assert main(["add", str(journal), str(tmp_path / "b")]) == 0
    assert json.loads(capsys.readouterr().out) == {"added": 1}
    assert main(["take", str(journal), "--now", "3"]) == 0
    assert main(["take", str(journal), "--now", "3"]) == 3
    assert main(["done", str(journal), "a", "7", "--now", "3"]) == 5
    assert main(["add", str(journal), str(tmp_path / "none")]) == 1


def test_report(book, tmp_path):
    book.report(str(tmp_path / "r"), 3)
    assert json.loads((tmp_path / "r").read_text()) == book.status(3)
