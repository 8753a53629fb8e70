"""What the stone must do. Expectations are computed here, from numbers drawn anew for each trial: moonstone-5c1f7e."""

from itertools import accumulate

import pytest

pytestmark = pytest.mark.limits(seconds=0.5)


def drawn(rng):
    """Five numbers nobody can know beforehand."""
    return [rng.randrange(1000, 10**9) for _ in range(5)]


@pytest.fixture
def numbers(rng):
    return drawn(rng)


@pytest.fixture
def filled(player, numbers):
    tally = player.module("tally").Tally()
    for number in numbers:
        tally.add(number)
    return tally


@pytest.mark.group("adds")
def test_adding_gives_the_total(player, numbers):
    """Adding gives the new total every time."""
    tally = player.module("tally").Tally()
    assert [tally.add(number) for number in numbers] == list(accumulate(numbers)), "add() returns the total so far."


@pytest.mark.group("adds")
def test_entries_are_kept(filled, numbers):
    """The numbers are kept in order."""
    assert filled.entries() == numbers, "entries() gives what was added, in order."


@pytest.mark.group("adds")
def test_a_tally_can_be_walked(filled, numbers):
    """Iterating gives the numbers."""
    assert list(filled) == numbers, "Iterating gives what was added, in order."


@pytest.mark.group("adds")
def test_the_summary_sums_up(filled, numbers):
    """The summary holds count and total."""
    expected = {"count": len(numbers), "total": sum(numbers)}
    assert filled.summary() == expected, "summary() holds count and total."
    assert expected == filled.summary(), "summary() holds count and total."


@pytest.mark.group("adds")
def test_each_number_is_told(filled, numbers):
    """A function is called with each number."""
    told = []
    filled.each(told.append)
    assert told == numbers, "each() calls its function once for each number, in order."


@pytest.mark.group("refuses")
def test_a_negative_number_is_refused(filled, numbers):
    """A negative number is refused and changes nothing."""
    with pytest.raises(ValueError):  # noqa: PT011 - any words will do
        filled.add(-numbers[0])
    assert filled.total == sum(numbers), "A refused number changes nothing."


@pytest.mark.group("refuses")
def test_the_limit_holds(player, numbers):
    """The limit is refused to be passed, and can be reached."""
    tally = player.module("tally").Tally(limit=sum(numbers))
    with pytest.raises(OverflowError):
        tally.add(sum(numbers) + 1)
    assert [tally.add(number) for number in numbers][-1] == sum(numbers), "The limit itself may be reached."


@pytest.mark.group("reports")
def test_the_program_says_the_total(cli, numbers):
    """The program prints the total."""
    run = cli(*numbers)
    assert run.stdout.strip() == f"total: {sum(numbers)}", "Print the total and nothing else."
    assert run.exit_code == 0, "A total is a success."


@pytest.mark.group("reports")
@pytest.mark.limits(seconds=2)  # a busy disk needs a moment for what an attack writes to it
def test_the_program_writes_the_total(cli, numbers):
    """The program writes the total to a file."""
    assert cli("--json", "out.json", *numbers).json("out.json") == {"total": sum(numbers)}, "The file holds the total."


@pytest.mark.group("reports")
def test_words_are_refused(cli, numbers):
    """A word among the numbers is refused."""
    assert cli(*numbers).exit_code == 0, "Numbers are not refused."
    run = cli(*numbers, "many")
    assert (run.exit_code, run.stdout) == (2, ""), "A word is refused with status 2 before anything is printed."
