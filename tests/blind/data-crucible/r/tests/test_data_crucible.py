import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from data_crucible import Slag, aggregate, melt, rows_of


def test_groups_are_gathered_and_sorted():
    rows = rows_of(["m,k\n", "tin,2\n", "iron,5\n", "tin,4.5\n"], ["m", "k"])
    assert aggregate(rows, ["m"], "k") == [
        {"m": "iron", "sum": 5, "count": 1, "avg": 5},
        {"m": "tin", "sum": 6.5, "count": 2, "avg": 3.25},
    ]


@pytest.mark.parametrize("text", ["", " ", "nan", "inf", "four", "1,5", "--1"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(Slag):
        melt(text)
