"""Blows that must land: one, many, and under every name."""

import pytest


def line(name: str, blow: int) -> str:
    """The line of the contract for one blow."""
    return f"Thwack! {name} lands blow {blow}."


@pytest.mark.group("one_blow")
def test_a_single_blow_prints_its_line(cli):
    """A name alone strikes once, with exactly the line of the contract."""
    run = cli("Squire")
    assert run.stdout.splitlines() == [line("Squire", 1)], (
        "With only a NAME, print one line: Thwack! NAME lands blow 1. Nothing before it, nothing after it."
    )


@pytest.mark.group("one_blow")
def test_one_blow_asked_for_is_one_line(cli):
    """Asking for one blow is the same as not asking."""
    run = cli("Squire", "--blows", "1")
    assert run.stdout.splitlines() == [line("Squire", 1)], "--blows 1 prints exactly one line, for blow 1."


@pytest.mark.group("one_blow")
def test_a_blow_that_lands_is_a_success(cli):
    """A blow that lands ends with status 0."""
    run = cli("Squire")
    assert not run.traceback, "The program ended in a traceback instead of a blow."
    assert line("Squire", 1) in run.stdout, "There was no blow to report success for."
    assert run.exit_code == 0, "A blow that lands is a success: exit status 0."


@pytest.mark.group("rhythm")
@pytest.mark.parametrize("blows", [2, 7], ids=["a-pair", "a-series"])
def test_every_blow_has_its_line(cli, blows):
    """Several blows print one line each, in order, counted from 1."""
    run = cli("Squire", "--blows", str(blows))
    assert run.exit_code == 0, "Several blows are a success too: exit status 0."
    assert run.stdout.splitlines() == [line("Squire", blow) for blow in range(1, blows + 1)], (
        "Print one line for each blow: the first is blow 1, the last is blow N, none is missing."
    )


@pytest.mark.group("rhythm")
def test_the_longest_series_is_allowed(cli):
    """The dummy takes all the blows it was stuffed for."""
    run = cli("Squire", "--blows", "99")
    assert run.exit_code == 0, "The upper edge of --blows is allowed."
    assert len(run.stdout.splitlines()) == 99, "The upper edge of --blows prints as many lines as it says."
    assert run.stdout.splitlines() == [line("Squire", blow) for blow in range(1, 100)], (
        "The lines of 99 blows count from 1 to 99, each in its turn."
    )


@pytest.mark.group("rhythm")
def test_the_option_may_come_first(cli):
    """It does not matter whether --blows stands before or after the name."""
    run = cli("--blows", "3", "Squire")
    assert run.stdout.splitlines() == [line("Squire", blow) for blow in (1, 2, 3)], (
        "--blows N before NAME means the same as after it."
    )


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
def test_a_name_comes_out_as_it_went_in(cli, name):
    """A name is printed exactly as it was given."""
    run = cli(name)
    assert run.stdout.splitlines() == [line(name, 1)], (
        "Print NAME unchanged, however long: its capitals, accents, spaces, braces and percent signs belong to it."
    )
