import pytest
from tally import Tally


def test_totals_entries_and_summary():
    tally = Tally()
    assert [tally.add(3), tally.add(4)] == [3, 7]
    assert tally.entries() == list(tally) == [3, 4]
    assert tally.summary() == {"count": 2, "total": 7}


def test_each_entry_is_told():
    tally, told = Tally(), []
    tally.add(5)
    tally.add(0)
    tally.each(told.append)
    assert told == [5, 0]


def test_what_is_refused_changes_nothing():
    tally = Tally(limit=5)
    with pytest.raises(ValueError, match="up are counted"):
        tally.add(-1)
    with pytest.raises(OverflowError):
        tally.add(6)
    assert (tally.add(5), tally.total) == (5, 5)
