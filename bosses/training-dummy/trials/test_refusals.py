"""Blows that must not land: arguments that can't be read, and values that make no sense."""

import pytest


def assert_refused(run, word: str) -> None:
    """Assert the refusal of the contract: status 2, a message naming the argument, no blow, no traceback."""
    assert not run.traceback, "Bad input must be refused in words, not end in a traceback."
    assert run.stdout == "", "Bad input must be refused before anything is printed on standard output."
    assert run.exit_code == 2, "Bad input ends with exit status 2."
    assert word in run.stderr.lower(), "Say on standard error which argument was at fault: NAME or --blows."


@pytest.mark.group("unreadable")
def test_good_arguments_are_not_refused(cli):
    """Refusing is for bad input: good arguments still end with status 0."""
    run = cli("Squire", "--blows", "1")
    assert run.exit_code == 0, "Good arguments must not be refused: a program that refuses everybody guards nothing."
    assert "Squire" in run.stdout, "Good arguments must land a blow, not end in silence."


@pytest.mark.group("unreadable")
def test_somebody_must_strike(cli):
    """Without a name, nobody strikes."""
    assert_refused(cli(), "name")


@pytest.mark.group("unreadable")
@pytest.mark.parametrize("blows", ["many", "2.5"], ids=["a-word", "a-fraction"])
def test_a_count_is_a_whole_number(cli, blows):
    """A count that is no whole number is refused."""
    assert_refused(cli("Squire", "--blows", blows), "blows")


@pytest.mark.group("unreadable")
def test_a_count_is_not_left_out(cli):
    """--blows without a number is refused."""
    assert_refused(cli("Squire", "--blows"), "blows")


@pytest.mark.group("unreadable")
def test_an_unknown_option_is_refused(cli):
    """An option that does not exist is refused."""
    run = cli("Squire", "--kicks", "2")
    assert not run.traceback, "An unknown option must be refused in words, not end in a traceback."
    assert run.stdout == "", "An unknown option must be refused before the first blow."
    assert run.exit_code == 2, "An unknown option ends with exit status 2."


@pytest.mark.group("senseless")
@pytest.mark.parametrize("blows", ["0", "-3"], ids=["none", "fewer-than-none"])
def test_there_is_at_least_one_blow(cli, blows):
    """A count below 1 is refused."""
    assert_refused(cli("Squire", "--blows", blows), "blows")


@pytest.mark.group("senseless")
@pytest.mark.parametrize("blows", ["100", "5000"], ids=["just-over", "far-over"])
def test_the_straw_has_an_end(cli, blows):
    """A count above 99 is refused."""
    assert_refused(cli("Squire", "--blows", blows), "blows")


@pytest.mark.group("senseless")
@pytest.mark.parametrize("name", ["", "   "], ids=["empty", "only-spaces"])
def test_a_name_is_not_blank(cli, name):
    """A blank name is refused."""
    assert_refused(cli(name), "name")
