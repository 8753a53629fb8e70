"""Blows that must land: one, many, and under every name."""

import shlex

import pytest

pytestmark = pytest.mark.clause("OUTPUT")

LONGEST_SHOWN = 160


def line(name: str, blow: int) -> str:
    """The line of the contract for one blow."""
    return f"Thwack! {name} lands blow {blow}."


def shown(text: str) -> str:
    """A text as it is quoted in a message, cut where it gets long."""
    return repr(text) if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]!r}... ({len(text.splitlines())} lines)"


def outcome(run) -> str:
    """How a run ended, in words."""
    end = "a traceback" if run.traceback else f"exit status {run.exit_code}"
    return f"{end}, standard output {shown(run.stdout)}"


def assert_lands(cli, *arguments: str, name: str, blows: int) -> None:
    """Assert that these arguments print the lines of so many blows, and nothing else."""
    run = cli(*arguments)
    lines = [line(name, blow) for blow in range(1, blows + 1)]
    expected = shown("".join(f"{each}\n" for each in lines))
    assert run.stdout.splitlines() == lines, (
        f"dummy.py {shlex.join(arguments)}: expected standard output {expected}; got {outcome(run)}."
    )


def assert_success(cli, *arguments: str) -> None:
    """Assert that good arguments end with exit status 0."""
    run = cli(*arguments)
    assert run.exit_code == 0, f"dummy.py {shlex.join(arguments)}: expected exit status 0; got {outcome(run)}."


@pytest.mark.group("one_blow")
@pytest.mark.advice(
    "Print f'Thwack! {name} lands blow {blow}.' for each blow in range(1, blows + 1), and nothing else. Let blows "
    "be 1 by default."
)
def test_a_single_blow_prints_its_line(cli):
    """A name alone prints one blow, exactly as in the contract."""
    assert_lands(cli, "Squire", name="Squire", blows=1)


@pytest.mark.group("one_blow")
@pytest.mark.clause("COMMAND LINE")
@pytest.mark.advice(
    "Read --blows as an int with default 1. With and without the option, print a line for each blow in range(1, "
    "blows + 1)."
)
def test_one_blow_asked_for_is_one_line(cli):
    """Asking for one blow is the same as not asking."""
    assert_lands(cli, "Squire", "--blows", "1", name="Squire", blows=1)


@pytest.mark.group("one_blow")
@pytest.mark.advice(
    "Print the contract's line, and no more, with print(). Then return 0 from main to sys.exit, not a count or a text."
)
def test_a_blow_that_lands_is_a_success(cli):
    """A blow ends with status 0."""
    assert_success(cli, "Squire")
    assert_lands(cli, "Squire", name="Squire", blows=1)


@pytest.mark.group("rhythm")
@pytest.mark.parametrize("blows", [2, 7], ids=["a-pair", "a-series"])
@pytest.mark.advice(
    "Call print once for each blow in range(1, blows + 1), with the loop's own number in the line, and end with "
    "status 0."
)
def test_every_blow_has_its_line(cli, blows):
    """Several blows print one line each, in order, counted from 1."""
    assert_lands(cli, "Squire", "--blows", str(blows), name="Squire", blows=blows)
    assert_success(cli, "Squire", "--blows", str(blows))


@pytest.mark.group("rhythm")
@pytest.mark.clause("COMMAND LINE")
@pytest.mark.advice(
    "Accept blows where 1 <= blows <= 99, print a line for each in range(1, blows + 1), and end with status 0."
)
def test_the_longest_series_is_allowed(cli):
    """Ninety-nine blows, the most allowed, are printed."""
    assert_lands(cli, "Squire", "--blows", "99", name="Squire", blows=99)
    assert_success(cli, "Squire", "--blows", "99")


@pytest.mark.group("rhythm")
@pytest.mark.clause("COMMAND LINE")
@pytest.mark.advice(
    "Read NAME and --blows with argparse, not by their places in sys.argv: it takes the option before or after NAME."
)
def test_the_option_may_come_first(cli):
    """It does not matter whether --blows comes before or after the name."""
    assert_lands(cli, "--blows", "3", "Squire", name="Squire", blows=3)


@pytest.mark.group("names")
@pytest.mark.parametrize(
    "name",
    [
        "the OLD smith",
        "Æthel Żółw",
        "Zoe\u0308",
        "two  spaces",
        "  a space at each end ",
        "100% {blow} {0} %s",
        "the smith's third apprentice, who sweeps the yard and feeds the cat",
    ],
    ids=[
        "capitals",
        "accents",
        "an-accent-after-its-letter",
        "spaces",
        "spaces-at-both-ends",
        "braces-and-percent-signs",
        "a-long-name",
    ],
)
@pytest.mark.advice(
    "Put the name into the line with an f-string, unchanged: no strip, split, title, cut, encoding or normalising, "
    "and no format() or % afterwards."
)
def test_a_name_comes_out_as_it_went_in(cli, name):
    """A name is printed exactly as it was given."""
    assert_lands(cli, name, name=name, blows=1)
