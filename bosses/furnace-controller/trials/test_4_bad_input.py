"""Bad files: exit status 1, a message, no traceback, no decision."""

import json
import re

import pytest

pytestmark = [pytest.mark.clause("BAD INPUT"), pytest.mark.needs("test_a_good_file_is_not_refused")]

DECISIONS = (0, 10, 11)
LONGEST_SHOWN = 120


def readings_of(*values):
    """A file with these readings."""
    return json.dumps({"readings": list(values)})


def feed(cli, content):
    """Run the controller on a file with this content."""
    return cli("--input", "readings.json", "--target-temp", "20", files={"readings.json": content})


def said(run):
    """All that a program has said, cut where it gets long."""
    return repr((run.stdout + run.stderr).strip()[:LONGEST_SHOWN])


def must_refuse(run, what):
    """No traceback and no decision. Status 1 and a message are for the last trial of this file."""
    output = run.stdout + "\n" + run.stderr
    assert not run.traceback, f"{what}: expected exit status 1 and a message; got a traceback."
    assert run.exit_code not in DECISIONS, f"{what}: expected exit status 1; got {run.exit_code} and {said(run)}."
    told = re.search(r"\b(?:HEAT|COOL|STABLE)\b", output)
    assert not told, f"{what}: expected no decision word; got {told[0]} in {said(run)}."


@pytest.mark.group("bad_input")
@pytest.mark.advice("Take the mean of the readings and decide, before you refuse anything.")
def test_a_good_file_is_not_refused(cli):
    """A valid file is accepted: only bad input is refused."""
    run = feed(cli, readings_of(19.5, 20.0))
    # Which decision it is, and a traceback, is for the trials of decisions.
    is_refused = run.exit_code not in DECISIONS and not run.traceback
    assert not is_refused, f"A good file: expected a decision; got exit status {run.exit_code} and {said(run)}."


@pytest.mark.group("bad_input")
@pytest.mark.advice("Catch OSError where the file is opened, report it, and end with status 1.")
def test_no_such_file(cli):
    """A file that does not exist is refused."""
    must_refuse(cli("--input", "nowhere.json", "--target-temp", "20"), "No such file")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Catch json.JSONDecodeError where the file is read, report it, and end with status 1.")
def test_text_that_is_not_json(cli):
    """A file that isn't JSON is refused."""
    must_refuse(feed(cli, "the furnace is fine, thank you"), "The file is not JSON")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Catch json.JSONDecodeError where the file is read, which an empty file raises too.")
def test_empty_file(cli):
    """An empty file is refused."""
    must_refuse(feed(cli, ""), "The file is empty")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Catch json.JSONDecodeError where the file is read, report it, and end with status 1.")
def test_cut_off_json(cli):
    """JSON cut off in the middle is refused."""
    must_refuse(feed(cli, '{"readings": [19.5, 20.0, 2'), "The JSON is cut off in the middle")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Refuse a document that isn't a dict before you look into it.")
def test_list_at_the_top(cli):
    """A file whose top level is a list is refused."""
    must_refuse(feed(cli, "[19.5, 20.0]"), "The top level is a list, not an object")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Refuse a document that isn't a dict before you look into it.")
def test_string_at_the_top(cli):
    """A string at the top level is refused, even if it contains "readings"."""
    must_refuse(feed(cli, '"readings"'), "The top level is a string, not an object")


@pytest.mark.group("bad_input")
@pytest.mark.advice('Refuse a document without "readings" before you use them.')
def test_no_readings_key(cli):
    """A file without "readings" is refused."""
    must_refuse(feed(cli, '{"temperatures": [19.5]}'), '"readings" is missing')


@pytest.mark.group("bad_input")
@pytest.mark.advice("Refuse an empty list before you divide by its length.")
def test_no_reading(cli):
    """An empty list of readings is refused."""
    must_refuse(feed(cli, readings_of()), '"readings" is an empty list')


@pytest.mark.group("bad_input")
@pytest.mark.advice("Ask isinstance(readings, list).")
def test_readings_are_a_number(cli):
    """A bare number in place of the list of readings is refused."""
    must_refuse(feed(cli, '{"readings": 19.5}'), '"readings" is a number, not a list')


@pytest.mark.group("bad_input")
@pytest.mark.advice("Check isinstance(readings, list): a string can be iterated like one.")
def test_readings_are_a_string(cli):
    """A string in place of the list of readings is refused."""
    must_refuse(feed(cli, '{"readings": "19.5"}'), '"readings" is a string, not a list')


@pytest.mark.group("bad_input")
@pytest.mark.advice("Check that each reading is an int or a float.")
def test_word_among_readings(cli):
    """A word among the readings is refused."""
    must_refuse(feed(cli, readings_of(19.5, "warm")), "A reading is a word")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Check that each reading is an int or a float.")
def test_null_among_readings(cli):
    """A null among the readings is refused."""
    must_refuse(feed(cli, readings_of(19.5, None)), "A reading is null")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Catch OSError where the file is opened: a directory raises IsADirectoryError, which is one.")
def test_directory(cli):
    """A directory in place of a file is refused."""
    run = cli("--input", "archive", "--target-temp", "20", files={"archive/readings.json": readings_of(20)})
    must_refuse(run, "The input is a directory")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Catch UnicodeDecodeError where the file is read.")
def test_not_text(cli):
    """Bytes that are not UTF-8 text are refused."""
    must_refuse(feed(cli, b'{"readings": [20], "site": "\xff\xfe\x80"}'), "The file is not UTF-8 text")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Refuse a document that isn't a dict before you look into it.")
def test_number_at_the_top(cli):
    """A file whose top level is a bare number is refused."""
    must_refuse(feed(cli, "20"), "The top level is a bare number")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Refuse a document that isn't a dict before you look into it.")
def test_null_at_the_top(cli):
    """A file whose top level is null is refused."""
    must_refuse(feed(cli, "null"), "The top level is null")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Ask isinstance(readings, list).")
def test_readings_are_an_object(cli):
    """An object in place of the list of readings is refused."""
    must_refuse(feed(cli, '{"readings": {"20": 1}}'), '"readings" is an object, not a list')


@pytest.mark.group("odd_input")
@pytest.mark.advice("Ask isinstance(readings, list).")
def test_readings_are_null(cli):
    """A null in place of the list of readings is refused."""
    must_refuse(feed(cli, '{"readings": null}'), '"readings" is null, not a list')


@pytest.mark.group("odd_input")
@pytest.mark.advice("Check that each reading is an int or a float, and convert none.")
def test_numbers_in_quotes(cli):
    """Numbers in quotes are strings, and refused."""
    must_refuse(feed(cli, readings_of("20", "20")), "Readings are numbers in quotes")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Refuse each reading that is a bool before you check whether it is an int.")
def test_true_among_readings(cli):
    """A true among the readings is refused."""
    must_refuse(feed(cli, readings_of(20, True)), "A reading is true")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Check isinstance(readings, list), not whether there are any.")
def test_false_as_readings(cli):
    """Readings of false are not readings of zero, and refused."""
    must_refuse(feed(cli, readings_of(False, False)), "Readings are false")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Check that each reading is an int or a float.")
def test_nested_list(cli):
    """A list within the list of readings is refused."""
    must_refuse(feed(cli, readings_of([20, 20])), "A reading is a list")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Check that each reading is an int or a float.")
def test_nested_object(cli):
    """An object among the readings is refused."""
    must_refuse(feed(cli, readings_of({"value": 20})), "A reading is an object")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Check math.isfinite for each reading: json reads NaN.")
def test_nan_among_readings(cli):
    """A reading that is Not a Number is refused."""
    must_refuse(feed(cli, '{"readings": [20, NaN]}'), "A reading is NaN")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Check math.isfinite for each reading: json reads Infinity.")
def test_infinity_among_readings(cli):
    """A reading of Infinity, or of -Infinity, is refused."""
    must_refuse(feed(cli, '{"readings": [20, Infinity]}'), "A reading is Infinity")
    must_refuse(feed(cli, '{"readings": [-Infinity]}'), "A reading is -Infinity")


@pytest.mark.group("odd_input")
@pytest.mark.advice("Check every reading, to the end of the list.")
def test_bad_reading_at_the_end(cli):
    """One bad reading at the end of a long list spoils the file."""
    must_refuse(feed(cli, readings_of(*[20] * 400, "20")), "The very last reading is bad")


@pytest.mark.group("manner")
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(None, id="no-such-file"),
        pytest.param("", id="an-empty-file"),
        pytest.param('{"readings": [19.5, 20.0, 2', id="json-cut-off"),
        pytest.param("[19.5, 20.0]", id="a-list-at-the-top"),
        pytest.param('{"temperatures": [19.5]}', id="no-readings"),
        pytest.param('{"readings": []}', id="an-empty-list"),
        pytest.param('{"readings": 19.5}', id="no-list"),
        pytest.param('{"readings": [19.5, "warm"]}', id="a-word-among-them"),
    ],
)
@pytest.mark.advice(
    "Raise an error of your own for every fault. Catch it once in main, print its message to sys.stderr, and "
    "return 1; parser.error would end with 2."
)
def test_a_refusal_has_status_1_and_a_message(cli, content):
    """A refusal has exit status 1 and a message."""
    run = cli("--input", "nowhere.json", "--target-temp", "20") if content is None else feed(cli, content)
    if run.traceback or run.exit_code in DECISIONS:
        return  # it is not refused, which other trials have said
    case = "Without a file" if content is None else f"For the file {content!r}"
    assert run.exit_code == 1, f"{case}: expected exit status 1; got {run.exit_code}."
    assert run.output.strip(), f"{case}: expected a message on stdout or stderr; got none."
