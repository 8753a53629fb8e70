"""Promises of the order book. Run them with: python -m pytest"""

from titan import Titan


def test_the_first_job_is_taken_first(tmp_path):
    book = Titan(str(tmp_path / "journal"))
    assert book.add([{"id": "melt"}, {"id": "cast"}]) == 2
    assert book.take(10) == ("melt", 1)
    assert book.take(10) == ("cast", 1)
    assert book.take(10) is None
