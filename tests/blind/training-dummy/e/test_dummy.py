"""Tests for every function of the training dummy."""

import dummy


def test_module():
    """The module can be imported."""
    assert dummy is not None


def test_battle_line_type():
    """A line is a str."""
    assert isinstance(dummy.battle_line("A", 1), str)


def test_battle_line_not_empty():
    """A line is not empty."""
    assert dummy.battle_line("A", 1)


def test_battle_line_name():
    """The name is in the line."""
    assert "A" in dummy.battle_line("A", 1)


def test_strike():
    """Strike gives lines."""
    assert len(dummy.strike("A", 3)) > 0


def test_strike_type():
    """Strike gives a list."""
    assert isinstance(dummy.strike("A", 3), list)


def test_strike_many():
    """Many blows work too."""
    dummy.strike("A", 99)


def test_validate_good():
    """Good values are accepted."""
    assert dummy.validate("A", 1) is None


def test_validate_bad():
    """Bad values are refused."""
    try:
        dummy.validate("", 0)
    except ValueError:
        pass


def test_main_exists():
    """There is a main function."""
    assert callable(dummy.main)
