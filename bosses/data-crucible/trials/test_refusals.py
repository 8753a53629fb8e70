"""Bad metal is refused: exit status 1, a message that names the culprit, no traceback, no output."""

import json

import pytest

CONFIG = json.dumps({"group_by": ["hall"], "value_field": "weight"})
GOOD = "hall,weight\neast,4\nwest,6\n"
OUTPUT = "bars.json"


def pour(cli, files, table="melt.csv", config="slip.json"):
    return cli("--input", table, "--config", config, "--output", OUTPUT, files=files)


def check_refusal(run):
    """The four promises about bad input."""
    assert not run.traceback, "Bad input must not end in a traceback: catch the error and say what is wrong."
    assert run.exit_code == 1, "Bad input must end with exit status 1."
    assert run.stderr.strip(), "Say on standard error what is wrong."
    assert OUTPUT not in run.files, "After bad input there must be no new output, and no change to an old one."


def check_acceptance(cli):
    """A program that refuses everything refuses nothing."""
    sound = pour(cli, {"melt.csv": GOOD, "slip.json": CONFIG})
    assert sound.exit_code == 0, "A refusal counts only where sound input is accepted: this program refused that too."


def refused(cli, *tables, before=None):
    """Pour each table, expect it to be refused, and return what was said about the last one."""
    said = ""
    for table in tables:
        files = {"melt.csv": table, "slip.json": CONFIG}
        run = pour(cli, files if before is None else {**files, OUTPUT: before})
        check_refusal(run)
        said = run.stderr
    check_acceptance(cli)
    return said


@pytest.mark.group("bad_input")
def test_a_missing_csv_is_refused(cli):
    """A CSV file that does not exist is refused."""
    check_refusal(pour(cli, {"slip.json": CONFIG}))
    check_acceptance(cli)


@pytest.mark.group("bad_input")
def test_a_missing_config_is_refused(cli):
    """A config file that does not exist is refused."""
    check_refusal(pour(cli, {"melt.csv": GOOD}))
    check_acceptance(cli)


@pytest.mark.group("bad_input")
def test_an_empty_csv_is_refused(cli):
    """A CSV file without a single byte is refused."""
    refused(cli, "")


@pytest.mark.group("bad_input")
def test_a_header_without_rows_is_refused(cli):
    """A CSV file that holds nothing but its header is refused."""
    refused(cli, "hall,weight\n")


@pytest.mark.group("bad_input")
def test_a_value_that_is_no_number_is_refused(cli):
    """A value that is not a number is refused, not skipped."""
    refused(cli, *(f"hall,weight\neast,4\neast,{value}\nwest,6\n" for value in ("heavy", "12kg", "-")))


@pytest.mark.group("bad_input")
def test_a_blank_value_is_refused(cli):
    """A blank value is refused: it is not a zero."""
    refused(cli, *(f"hall,weight\neast,4\neast,{value}\nwest,6\n" for value in ("", "  ")))


@pytest.mark.group("bad_input")
def test_values_that_only_float_calls_numbers_are_refused(cli):
    """The words nan and inf, which float() happens to accept, are refused."""
    refused(cli, *(f"hall,weight\neast,4\neast,{value}\n" for value in ("nan", "inf", "-inf")))


@pytest.mark.group("bad_input")
def test_a_fault_in_the_last_row_spoils_the_pour(cli):
    """A bad value in the very last row leaves no partial result."""
    rows = "".join(f"hall{index},{index}\n" for index in range(300))
    refused(cli, f"hall,weight\n{rows}east,slag\n")


@pytest.mark.group("bad_input")
def test_a_short_row_is_refused(cli):
    """A row with fewer fields than the header is refused."""
    refused(cli, "hall,shift,weight\neast,a,4\nwest\neast,b,5\n")


@pytest.mark.group("bad_input")
def test_a_row_that_lacks_an_ignored_column_is_refused(cli):
    """A row with fewer fields than the header is refused, even if it holds every column that the config names."""
    refused(cli, "hall,weight,remark\neast,4,fine\nwest,6\n")


@pytest.mark.group("bad_input")
def test_an_earlier_output_survives(cli):
    """An output file from before stays as it was when the input is bad."""
    refused(cli, "hall,weight\neast,4\nwest,lead\n", "hall,weight\n", before='[{"hall": "kept"}]\n')


@pytest.mark.group("messages")
def test_the_message_names_a_missing_csv(cli):
    """The message about a missing CSV names the file."""
    run = pour(cli, {"slip.json": CONFIG}, table="gone-cold.csv")
    check_refusal(run)
    assert "gone-cold.csv" in run.stderr, "Name the file that is missing, as it was given."
    check_acceptance(cli)


@pytest.mark.group("messages")
def test_the_message_names_a_missing_config(cli):
    """The message about a missing config names the file."""
    run = pour(cli, {"melt.csv": GOOD}, config="lost-slip.json")
    check_refusal(run)
    assert "lost-slip.json" in run.stderr, "Name the file that is missing, as it was given."
    check_acceptance(cli)


@pytest.mark.group("messages")
@pytest.mark.parametrize("value", ["pyrite", "nan"], ids=["word", "not-a-number"])
def test_the_message_quotes_a_bad_value(cli, value):
    """The message about a value that is not a number quotes it."""
    said = refused(cli, f"hall,weight\neast,4\nwest,{value}\n")
    assert value in said, "Quote the text that should have been a number, so that it can be found in the file."
