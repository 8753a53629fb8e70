"""What the dummy must say, and what it must not fall for."""

import pytest

from dummy import battle_line, main, objection, strike


def test_a_line_names_the_fighter_and_the_blow():
    assert battle_line("Apprentice", 4) == "Thwack! Apprentice lands blow 4."


def test_blows_are_counted_from_one_up_to_the_last():
    assert strike("Apprentice", 2) == ["Thwack! Apprentice lands blow 1.", "Thwack! Apprentice lands blow 2."]


@pytest.mark.parametrize("blows", [1, 99])
def test_both_edges_are_allowed(blows):
    assert objection("Apprentice", blows) == ""


@pytest.mark.parametrize("blows", [0, -1, 100])
def test_beyond_the_edges_is_refused(blows):
    assert "--blows" in objection("Apprentice", blows)


def test_a_blank_name_ends_with_status_2(capsys):
    with pytest.raises(SystemExit) as ending:
        main(["  "])
    assert ending.value.code == 2
    assert "NAME" in capsys.readouterr().err
