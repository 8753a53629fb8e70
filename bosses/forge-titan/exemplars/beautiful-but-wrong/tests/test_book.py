"""What the book of events promises."""

import pytest

from titan import BatchError, ConflictError, CycleError, StaleError, Titan
from titan.events import seal, unbroken


@pytest.fixture
def book(tmp_path):
    return Titan(str(tmp_path / "journal"))


def states(book, now):
    return {job["id"]: job["state"] for job in book.status(now)["jobs"]}


def test_the_job_on_which_most_others_wait_goes_first(book):
    book.add([{"id": "rod"}, {"id": "melt"}, {"id": "cast", "after": ["melt"]}, {"id": "bore", "after": ["melt"]}])
    assert book.take(1) == ("melt", 1)
    assert states(book, 1) == {"rod": "ready", "melt": "running", "cast": "waiting", "bore": "waiting"}


def test_rests_and_leases(book):
    book.add([{"id": "melt", "attempts": 2, "backoff": 10}, {"id": "cast", "after": ["melt"]}])
    book.take(5, 20)
    assert states(book, 24)["melt"] == "running"
    assert states(book, 25)["melt"] == "resting"
    assert states(book, 35)["melt"] == "ready"
    book.take(35)
    assert book.fail("melt", 2, 36) is True
    assert book.fail("melt", 2, 37) is False
    assert states(book, 37) == {"melt": "failed", "cast": "blocked"}


def test_a_broken_seal_costs_one_event():
    lines = [seal({"event": number}) for number in range(3)]
    lines[1] = lines[1].replace(b"1}", b"7}")
    assert [event["event"] for event in unbroken(lines)] == [0, 2]


def test_a_torn_journal(book, tmp_path):
    book.add([{"id": "melt"}])
    book.add([{"id": "cast"}])
    journal = tmp_path / "journal"
    journal.write_bytes(journal.read_bytes()[:-4])
    again = Titan(str(journal))
    assert states(again, 0) == {"melt": "ready"}
    again.add([{"id": "bore"}])
    assert states(Titan(str(journal)), 0) == {"melt": "ready", "bore": "ready"}


def test_keys(book):
    assert book.add([{"id": "melt"}], "k") == 1
    assert book.add([{"id": "melt", "attempts": 3}], "k") == 0
    with pytest.raises(ConflictError):
        book.add([{"id": "cast"}], "k")


@pytest.mark.parametrize("batch", [[], [{}], [{"id": "x", "attempts": True}], [{"id": "x", "after": ["y"]}]])
def test_senseless_batches(book, batch):
    with pytest.raises(BatchError):
        book.add(batch)
    assert states(book, 0) == {}


def test_circles_are_told(book):
    with pytest.raises(CycleError) as caught:
        book.add([{"id": "a", "after": ["b"]}, {"id": "b", "after": ["a"]}])
    assert caught.value.path == ["a", "b"]


def test_stale_words(book):
    with pytest.raises(StaleError):
        book.done("nobody", 1, 1)


def test_the_report(book, tmp_path):
    book.report(str(tmp_path / "told"), 3)
    assert '"now": 3' in (tmp_path / "told").read_text()
