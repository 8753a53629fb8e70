import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from data_crucible import InputError, aggregate, parse_config

ROWS = [{"metal": "tin", "kg": "2"}, {"metal": "iron", "kg": "1.5"}, {"metal": "tin", "kg": "4"}]


def test_sum_count_and_average():
    assert aggregate(ROWS, ["metal"], "kg") == [
        {"metal": "iron", "sum": 1.5, "count": 1, "avg": 1.5},
        {"metal": "tin", "sum": 6, "count": 2, "avg": 3},
    ]


def test_no_columns_give_the_grand_total():
    assert parse_config('{"group_by": [], "value_field": "kg"}') == ([], "kg")
    assert aggregate(ROWS, [], "kg") == [{"sum": 7.5, "count": 3, "avg": 2.5}]


@pytest.mark.parametrize("text", ["{", "[]", '{"group_by": ["a"]}', '{"group_by": "a", "value_field": "b"}'])
def test_bad_config(text):
    with pytest.raises(InputError):
        parse_config(text)


def test_bad_value():
    with pytest.raises(InputError, match="nan"):
        aggregate([{"metal": "tin", "kg": "nan"}], ["metal"], "kg")
