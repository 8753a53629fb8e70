"""Bad metal is refused: exit status 1, a message that names the culprit, no traceback, no output."""

import json

import pytest

pytestmark = [pytest.mark.clause("BAD INPUT"), pytest.mark.needs("test_a_sound_table_is_not_refused")]

CONFIG = json.dumps({"group_by": ["hall"], "value_field": "weight"})
GOOD = "hall,weight\neast,4\nwest,6\n"
OUTPUT = "bars.json"
SOUND = {"melt.csv": GOOD, "slip.json": CONFIG}


def pour(cli, files, table="melt.csv", config="slip.json"):
    return cli("--input", table, "--config", config, "--output", OUTPUT, files=files)


def files_with(table):
    """A sound config beside this table."""
    return {**SOUND, "melt.csv": table}


def described(files):
    """What is bad about these files, in words."""
    if "slip.json" not in files:
        return "Without a config file: expected"
    if "melt.csv" not in files:
        return "Without a CSV file: expected"
    if files["slip.json"] != CONFIG:
        return f"For the config {files['slip.json']!r}: expected"
    return f"For the CSV {files['melt.csv'][-120:]!r}: expected"


def expect_refusal(run, files):
    """No traceback, no success, and the output file is what it was before."""
    case = described(files)
    assert not run.traceback, f"{case} exit status 1 and a message; got a traceback."
    assert run.exit_code != 0, f"{case} exit status 1; got exit status 0."
    # The files of a run are those that are new or changed.
    kept = "the earlier output file as it was" if OUTPUT in files else "no output file"
    assert OUTPUT not in run.files, f"{case} {kept}; got {run.files[OUTPUT][:80]!r}."


def refused(cli, *tables, before=None):
    """Pour each table, expect it to be refused, and return what was said about the last one."""
    said = ""
    for table in tables:
        files = {**files_with(table), **({} if before is None else {OUTPUT: before})}
        run = pour(cli, files)
        expect_refusal(run, files)
        said = run.output
    return said


def expect_named(said, culprit, case):
    assert culprit in said, f"{case}: expected {culprit} in the message; got {said.strip()[:140]!r}."


@pytest.mark.group("bad_input")
@pytest.mark.advice("Make a valid table with a valid config work before you refuse anything.")
def test_a_sound_table_is_not_refused(cli):
    """A valid table is accepted: only bad input is refused."""
    run = pour(cli, SOUND)
    # What is poured, and a traceback, is for the trials of results.
    is_refused = run.exit_code != 0 and not run.traceback
    assert not is_refused, f"For the CSV {GOOD!r}: expected exit status 0; got {run.exit_code}."


@pytest.mark.group("bad_input")
@pytest.mark.parametrize("missing", ["melt.csv", "slip.json"], ids=["csv", "config"])
@pytest.mark.advice("Catch OSError around the opening of both files, print it to standard error, and return 1.")
def test_a_missing_file_is_refused(cli, missing):
    """A file that does not exist is refused."""
    files = {name: text for name, text in SOUND.items() if name != missing}
    expect_refusal(pour(cli, files), files)


@pytest.mark.group("bad_input")
@pytest.mark.advice("Refuse a CSV whose reader has no header: next(reader, None) is None, or fieldnames is None.")
def test_an_empty_csv_is_refused(cli):
    """An empty CSV file is refused."""
    refused(cli, "")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Refuse a CSV of which no row was read.")
def test_a_header_without_rows_is_refused(cli):
    """A CSV file that holds nothing but its header is refused."""
    refused(cli, "hall,weight\n")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Turn the ValueError of a value that isn't a number into your own error, and skip no row.")
def test_a_value_that_is_no_number_is_refused(cli):
    """A value that is not a number is refused, not skipped."""
    refused(cli, *(f"hall,weight\neast,4\neast,{value}\nwest,6\n" for value in ("heavy", "12kg", "-")))


@pytest.mark.group("bad_input")
@pytest.mark.advice("Refuse a blank value like a word; it isn't 0.")
def test_a_blank_value_is_refused(cli):
    """A blank value is refused: it is not a zero."""
    refused(cli, *(f"hall,weight\neast,4\neast,{value}\nwest,6\n" for value in ("", "  ")))


@pytest.mark.group("bad_input")
@pytest.mark.advice("Check math.isfinite for each value: float() accepts nan and inf.")
def test_values_that_only_float_calls_numbers_are_refused(cli):
    """The words nan and inf, which float() happens to accept, are refused."""
    refused(cli, *(f"hall,weight\neast,4\neast,{value}\n" for value in ("nan", "inf", "-inf")))


@pytest.mark.group("bad_input")
@pytest.mark.advice("Open the output only when all rows have been read and added up.")
def test_a_fault_in_the_last_row_spoils_the_pour(cli):
    """A bad value in the very last row leaves no partial result."""
    rows = "".join(f"hall{index},{index}\n" for index in range(300))
    refused(cli, f"hall,weight\n{rows}east,slag\n")


@pytest.mark.group("bad_input")
@pytest.mark.advice(
    "Compare the length of each row with that of the header; csv.DictReader fills a short row with None."
)
def test_a_short_row_is_refused(cli):
    """A row with fewer fields than the header is refused."""
    refused(cli, "hall,shift,weight\neast,a,4\nwest\neast,b,5\n")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Compare the length of each row with that of the header, whichever columns the config names.")
def test_a_row_that_lacks_an_ignored_column_is_refused(cli):
    """A short row is refused, even if it holds every column that the config names."""
    refused(cli, "hall,weight,remark\neast,4,fine\nwest,6\n")


@pytest.mark.group("bad_input")
@pytest.mark.advice("Open the output only when the result is complete.")
def test_an_earlier_output_survives(cli):
    """An output file from before stays as it was when the input is bad."""
    refused(cli, "hall,weight\neast,4\nwest,lead\n", "hall,weight\n", before='[{"hall": "kept"}]\n')


@pytest.mark.group("manner")
@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"slip.json": CONFIG}, id="no-csv"),
        pytest.param({"melt.csv": GOOD}, id="no-config"),
        pytest.param(files_with(""), id="an-empty-csv"),
        pytest.param(files_with("hall,weight\n"), id="no-rows"),
        pytest.param(files_with("hall,weight\neast,heavy\n"), id="a-word-for-a-number"),
        pytest.param(files_with("hall,weight\neast,\n"), id="a-blank-value"),
        pytest.param(files_with("hall,weight\neast\n"), id="a-short-row"),
        pytest.param({**SOUND, "slip.json": '{"group_by": '}, id="broken-json"),
        pytest.param({**SOUND, "slip.json": '{"group_by": ["hall"], "value_field": "volume"}'}, id="an-unknown-column"),
    ],
)
@pytest.mark.advice("Print each refusal to sys.stderr and return 1, all in one place.")
def test_a_refusal_has_status_1_and_a_message(cli, files):
    """A refusal has exit status 1, a message on standard error and no output file."""
    run = pour(cli, files)
    if run.traceback or run.exit_code == 0:
        return  # it is not refused, which other trials have said
    case = described(files)
    assert run.exit_code == 1, f"{case} exit status 1; got {run.exit_code}."
    assert run.stderr.strip(), f"{case} a message on standard error; got none."
    assert OUTPUT not in run.files, f"{case} no output file; got {run.files[OUTPUT][:80]!r}."


@pytest.mark.group("messages")
@pytest.mark.advice("Put the name of the CSV file into the message; str(error) of an OSError holds it.")
def test_the_message_names_a_missing_csv(cli):
    """The message about a missing CSV names the file."""
    run = pour(cli, {"slip.json": CONFIG}, table="gone-cold.csv")
    expect_refusal(run, {"slip.json": CONFIG})
    expect_named(run.output, "gone-cold.csv", "Without the CSV file gone-cold.csv")


@pytest.mark.group("messages")
@pytest.mark.advice("Put the name of the config file into the message; str(error) of an OSError holds it.")
def test_the_message_names_a_missing_config(cli):
    """The message about a missing config names the file."""
    run = pour(cli, {"melt.csv": GOOD}, config="lost-slip.json")
    expect_refusal(run, {"melt.csv": GOOD})
    expect_named(run.output, "lost-slip.json", "Without the config file lost-slip.json")


@pytest.mark.group("messages")
@pytest.mark.parametrize("value", ["pyrite", "nan"], ids=["word", "not-a-number"])
@pytest.mark.advice('Quote the text of a bad value in the message: f"not a number: {text!r}".')
def test_the_message_quotes_a_bad_value(cli, value):
    """The message about a value that is not a number quotes it."""
    table = f"hall,weight\neast,4\nwest,{value}\n"
    expect_named(refused(cli, table), value, f"For the CSV {table!r}")
