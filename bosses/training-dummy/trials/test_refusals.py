"""Blows that must not land: arguments that can't be read, and values that make no sense."""

import shlex

import pytest

from evalforge.evidence.trials.proxies import RunStoppedError

pytestmark = [pytest.mark.clause("BAD INPUT"), pytest.mark.needs("test_good_arguments_are_not_refused")]

LONGEST_SHOWN = 160


def assert_refused(cli, *arguments: str) -> str:
    """Assert the refusal of the contract: status 2, a message, no blow, no traceback. Returns the message."""
    run = cli(*arguments)
    case = f"dummy.py {shlex.join(arguments)}: expected"
    assert not run.traceback, f"{case} exit status 2 and a message; got a traceback."
    assert run.stdout == "", f"{case} nothing on standard output; got {run.stdout[:LONGEST_SHOWN]!r}."
    assert run.exit_code == 2, f"{case} exit status 2; got {run.exit_code}."
    assert run.stderr.strip(), f"{case} a message on standard error; got nothing."
    return run.stderr


def assert_names(cli, culprit: str, *arguments: str) -> None:
    """Assert that the refusal's message names the argument at fault; the dashes of an option don't matter."""
    message = assert_refused(cli, *arguments)
    assert culprit.strip("-").lower() in message.lower(), (
        f"dummy.py {shlex.join(arguments)}: expected {culprit} in the message on standard error;"
        f" got {message[-LONGEST_SHOWN:]!r}."
    )


@pytest.mark.group("unreadable")
@pytest.mark.clause("COMMAND LINE")
@pytest.mark.advice(
    "Read the arguments with argparse, call parser.error only for a blank NAME or an N outside 1 to 99, and "
    "otherwise print the blows."
)
def test_good_arguments_are_not_refused(cli):
    """Good arguments are accepted: only bad input is refused."""
    bad = cli("Squire", "--blows", "many")
    try:
        good = cli("Squire", "--blows", "1")
    except RunStoppedError:
        return  # What never ends is no refusal: it is for the trials of blows.
    # What the blows look like, and the status that they end with, is for the trials of blows.
    is_refused = good.exit_code != 0 and not good.stdout
    assert not is_refused, (
        "dummy.py Squire --blows 1: expected a blow; it is refused, or fails, with exit status"
        f" {good.exit_code} and {good.stderr[-LONGEST_SHOWN:]!r}."
    )
    assert (good.exit_code, good.stdout) != (bad.exit_code, bad.stdout), (
        f"dummy.py Squire --blows 1: expected a blow; got what --blows many gets: exit status {good.exit_code},"
        f" standard output {good.stdout[:LONGEST_SHOWN]!r}."
    )


@pytest.mark.group("unreadable")
@pytest.mark.advice(
    "Make NAME a required positional argument of argparse, without nargs='?' or a default: a missing one then ends "
    "with status 2."
)
def test_somebody_must_strike(cli):
    """A missing NAME is refused."""
    assert_refused(cli)


@pytest.mark.group("unreadable")
@pytest.mark.parametrize("blows", ["many", "2.5"], ids=["a-word", "a-fraction"])
@pytest.mark.advice(
    "Give --blows type=int in argparse, without float() before it: words and fractions then end with status 2 and "
    "a message."
)
def test_a_count_is_a_whole_number(cli, blows):
    """A count that isn't a whole number is refused."""
    assert_refused(cli, "Squire", "--blows", blows)


@pytest.mark.group("unreadable")
@pytest.mark.advice(
    "Let --blows take exactly one value in argparse, without nargs='?' or const: a missing N then ends with status 2."
)
def test_a_count_is_not_left_out(cli):
    """--blows without a number is refused."""
    assert_refused(cli, "Squire", "--blows")


@pytest.mark.group("unreadable")
@pytest.mark.advice(
    "Call parse_args, not parse_known_args: argparse then refuses options it doesn't know with status 2 and a message."
)
def test_an_unknown_option_is_refused(cli):
    """An option that does not exist is refused."""
    assert_refused(cli, "Squire", "--kicks", "2")


@pytest.mark.group("senseless")
@pytest.mark.parametrize("blows", ["0", "-3"], ids=["none", "fewer-than-none"])
@pytest.mark.advice(
    "Before printing a blow, call parser.error('--blows must be from 1 to 99') unless 1 <= blows <= 99. Take no "
    "abs() or nearest value."
)
def test_there_is_at_least_one_blow(cli, blows):
    """A count below 1 is refused."""
    assert_names(cli, "--blows", "Squire", "--blows", blows)


@pytest.mark.group("senseless")
@pytest.mark.parametrize("blows", ["100", "5000"], ids=["just-over", "far-over"])
@pytest.mark.advice(
    "Before printing a blow, call parser.error('--blows must be from 1 to 99') unless 1 <= blows <= 99. Don't cut "
    "N down to 99."
)
def test_the_straw_has_an_end(cli, blows):
    """A count above 99 is refused."""
    assert_names(cli, "--blows", "Squire", "--blows", blows)


@pytest.mark.group("senseless")
@pytest.mark.parametrize("name", ["", "   "], ids=["empty", "only-spaces"])
@pytest.mark.advice("If not name.strip(), call parser.error('NAME must not be blank') before printing a blow.")
def test_a_name_is_not_blank(cli, name):
    """A blank name is refused."""
    assert_names(cli, "NAME", name)


@pytest.mark.group("senseless")
@pytest.mark.parametrize(
    ("culprit", "arguments"),
    [
        pytest.param("NAME", (), id="no-name"),
        pytest.param("--blows", ("Squire", "--blows", "many"), id="a-word-for-a-number"),
        pytest.param("--blows", ("Squire", "--blows"), id="no-number"),
    ],
)
@pytest.mark.advice(
    "Let argparse refuse, with metavar='NAME' for the name and type=int for --blows: its messages on standard "
    "error name them."
)
def test_the_message_names_the_argument(cli, culprit, arguments):
    """The message about an unreadable argument names it."""
    assert_names(cli, culprit, *arguments)
