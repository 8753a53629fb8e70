"""Promises of the dummy's parts."""

import pytest

from dummy import Exercise, battle_line


def test_a_line_names_the_fighter_and_the_blow():
    assert battle_line("Apprentice", 1) == "Thwack! Apprentice lands blow 1."


def test_there_are_as_many_lines_as_blows():
    assert len(list(Exercise("Apprentice", 5).lines())) == 5


@pytest.mark.parametrize("blows", [0, 100])
def test_beyond_the_edges_is_refused(blows):
    assert Exercise("Apprentice", blows).objection() == "--blows must be from 1 to 99"
