"""The pieces of this program, which the contract does not name. A program without them has nothing to test here."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import dummy

if not hasattr(dummy, "objection"):
    pytest.skip("this program is built from other pieces", allow_module_level=True)


def test_a_line_is_made_without_printing():
    assert dummy.battle_line("Apprentice", 4) == "Thwack! Apprentice lands blow 4."


@pytest.mark.parametrize(("blows", "allowed"), [(0, False), (1, True), (99, True), (100, False)])
def test_both_edges_are_known(blows, allowed):
    assert (dummy.objection("Apprentice", blows) == "") is allowed
