"""The melt, one ingot at a time."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from melting import Casting, melt
from ore import Ingot, Recipe


def test_a_single_ingot_is_its_own_mean():
    assert melt([Ingot(("tin",), 4.0)]) == [Casting(("tin",), 1, 4.0)]


def test_two_ingots_meet_in_the_middle():
    (casting,) = melt([Ingot(("tin",), 4.0), Ingot(("tin",), 8.0)])
    assert casting.mean == 6.0
    assert casting.total == 12.0


def test_castings_come_out_sorted():
    castings = melt([Ingot(("tin",), 1.0), Ingot(("lead",), 1.0)])
    assert [casting.group for casting in castings] == [("lead",), ("tin",)]


def test_a_recipe_is_read():
    recipe = Recipe.from_text('{"group_by": ["metal"], "value_field": "kg"}')
    assert recipe == Recipe(("metal",), "kg")
