"""The pieces of this program, which the contract does not name. A program without them has nothing to test here."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import data_crucible

if not hasattr(data_crucible, "select_values"):
    pytest.skip("this program is built from other pieces", allow_module_level=True)

CONFIG = data_crucible.Config(("region",), "amount")


def test_rows_are_aggregated_without_a_file():
    rows = [(("north",), 1.0), (("south",), 5.0), (("north",), 1.0)]
    assert data_crucible.aggregate(rows, CONFIG) == [
        {"region": "north", "sum": 2.0, "count": 2, "avg": 1.0},
        {"region": "south", "sum": 5.0, "count": 1, "avg": 5.0},
    ]


@pytest.mark.parametrize(
    ("row", "told"), [(["south"], "row 2 has 1 fields"), (["south", "lead"], "row 2, column amount: 'lead'")]
)
def test_a_refusal_names_the_row(row, told):
    with pytest.raises(data_crucible.CrucibleError, match=told):
        data_crucible.select_values([["region", "amount"], ["north", "4"], row], CONFIG)
