from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crucible.aggregation import SumAggregator
from crucible.errors import TableError
from crucible.numbers import parse_decimal
from crucible.protocols import Sample, Total


@pytest.mark.parametrize("text, number", [("3", "3"), (" -0.25 ", "-0.25"), ("+7", "7"), ("1200", "1200")])
def test_numbers(text, number):
    assert parse_decimal(text) == Decimal(number)


@pytest.mark.parametrize("text", ["", "  ", "tin", "1,5", "1.2.3", "nan", "--1"])
def test_no_numbers(text):
    assert parse_decimal(text) is None


def test_totals_are_sorted_and_scattered_rows_meet():
    samples = [Sample(("b",), Decimal(2)), Sample(("a",), Decimal(5)), Sample(("b",), Decimal("0.5"))]
    totals = SumAggregator().aggregate(samples)
    assert totals == [Total(("a",), Decimal(5), 1), Total(("b",), Decimal("2.5"), 2)]
    assert totals[1].avg == Decimal("1.25")


def test_nothing_to_add():
    with pytest.raises(TableError):
        SumAggregator().aggregate([])


@given(st.lists(st.tuples(st.sampled_from(["10", "9", "Z", "a"]), st.integers(-1000, 1000)), min_size=1))
def test_nothing_is_lost(pairs):
    totals = SumAggregator().aggregate([Sample((key,), Decimal(value)) for key, value in pairs])
    assert sum(total.count for total in totals) == len(pairs)
    assert sum(total.sum for total in totals) == sum(value for _, value in pairs)
    assert [total.group for total in totals] == sorted({(key,) for key, _ in pairs})
