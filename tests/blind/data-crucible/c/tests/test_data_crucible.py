"""One promise to begin with. It fails until the crucible is lit."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from data_crucible import aggregate


def test_sum_count_and_average_of_one_group():
    rows = [{"metal": "tin", "kg": "2"}, {"metal": "tin", "kg": "4"}]
    assert aggregate(rows, ["metal"], "kg") == [{"metal": "tin", "sum": 6, "count": 2, "avg": 3}]


def test_two_columns():
    rows = [{"forge": "east", "metal": "tin", "kg": "2"}, {"forge": "east", "metal": "tin", "kg": "4"}]
    assert aggregate(rows, ["forge", "metal"], "kg")[0]["sum"] == 6
