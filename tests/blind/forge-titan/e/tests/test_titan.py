"""Promises of the order book. Run them with: python -m pytest"""

from titan import Titan


def test_the_first_job_is_taken_first(tmp_path):
    book = Titan(str(tmp_path / "journal"))
    assert book.add([{"id": "melt"}, {"id": "cast"}]) == 2
    assert book.take(10) == ("melt", 1)
    assert book.take(10) == ("cast", 1)
    assert book.take(10) is None


def test_a_job_waits(tmp_path):
    book = Titan(str(tmp_path / "journal"))
    book.add([{"id": "cast", "after": ["melt"]}, {"id": "melt"}])
    assert book.take(10) == ("melt", 1)
    assert book.take(10) is None
    assert book.done("melt", 1, 20) is True
    assert book.take(20) == ("cast", 1)


def test_the_journal_is_read(tmp_path):
    path = str(tmp_path / "journal")
    Titan(path).add([{"id": "melt"}])
    assert Titan(path).take(10) == ("melt", 1)
    assert Titan(path).take(10) is None


def test_status(tmp_path):
    book = Titan(str(tmp_path / "journal"))
    book.add([{"id": "melt"}])
    assert book.status(10)["jobs"][0]["state"] == "ready"
