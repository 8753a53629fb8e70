"""The config decides, and nothing but the config; a broken one is refused before anything is poured."""

import json

import pytest

pytestmark = [pytest.mark.clause("CONFIG"), pytest.mark.needs("test_a_sound_config_is_not_refused")]

TABLE = """\
hall,shift,metal,weight,heat
east,a,tin,4,210
east,b,tin,6,230
west,b,tin,1,220
west,a,iron,9,800
"""
SOUND = json.dumps({"group_by": ["hall"], "value_field": "weight"})


def expect(poured, actual, expected, what):
    """Fail with what was expected and what was got."""
    assert actual == expected, poured.unlike(actual, expected, what)


def expect_sums(poured, group_by, expected):
    """Compare the sum of each group. How a number must be written is not what these trials are about."""
    keyed = poured.keyed(group_by, ("sum",))
    expect(poured, {group: number(row["sum"]) for group, row in keyed.items()}, expected, "the sums")


def number(value):
    """The number that a sum is."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return value


def run_with(cli, config, table=TABLE):
    """Run on a table and a config given as text."""
    return cli(
        *("--input", "melt.csv", "--config", "slip.json", "--output", "bars.json"),
        files={"melt.csv": table, "slip.json": config},
    )


def has_results(run):
    """Whether results were written: an output file that is empty, or an empty list, belongs to errors and tests."""
    return run.files.get("bars.json", b"").strip() not in (b"", b"[]")


def refused(cli, *configs, table=TABLE):
    """The promises about each broken config.

    Whether a refusal has the right exit status and the right stream is not what these trials are about. Returns what
    was said about the last one.
    """
    said = ""
    for config in configs:
        text = config if isinstance(config, str) else json.dumps(config)
        run = run_with(cli, text, table)
        case = f"For the config {text!r}: expected"
        assert not run.traceback, f"{case} a refusal with a message; got a traceback."
        assert run.exit_code != 0, f"{case} a refusal; got exit status 0."
        assert not has_results(run), f"{case} no results; got exit status {run.exit_code} and an output file."
        assert run.output.strip(), f"{case} a message on what is wrong; got none."
        said = run.output
    return said


def expect_named(cli, config, culprit):
    """Refused, with a message that names the culprit."""
    said = refused(cli, config)
    assert culprit in said, (
        f"For the config {json.dumps(config)!r}: expected {culprit!r} in the message; got {said.strip()[:140]!r}."
    )


@pytest.mark.group("config_errors")
@pytest.mark.advice("Make a valid table with a valid config work before you refuse anything.")
def test_a_sound_config_is_not_refused(cli):
    """A valid config is accepted: only bad input is refused."""
    run = run_with(cli, SOUND)
    # What is poured, and a traceback, is for the trials of results.
    is_refused = run.exit_code != 0 and not run.traceback
    assert not is_refused, f"For the config {SOUND!r}: expected exit status 0; got {run.exit_code}."


@pytest.mark.group("config")
@pytest.mark.advice(
    "Take the names of columns from the config's group_by and value_field, and look each up in the header."
    " Write none of them into the code."
)
def test_columns_of_any_name(pour):
    """Columns may have any name: the config says which one is which."""
    poured = pour("wolf,moon\ngrey,3\ngrey,4\nblack,5\n", ["wolf"], "moon")
    expect_sums(poured, ["wolf"], {("grey",): 7, ("black",): 5})


@pytest.mark.group("config")
@pytest.mark.clause("CSV", "CONFIG")
@pytest.mark.advice(
    "Look a column up by the very name in config and header, such as row[name] of csv.DictReader."
    " Apply no lower(), strip() or replace() to either."
)
def test_names_with_spaces_and_signs(pour):
    """Column names may hold spaces, capitals and signs."""
    poured = pour("Net Weight (kg),Lot #\n3,A-1\n4,A-1\n5,B-2\n", ["Lot #"], "Net Weight (kg)")
    expect_sums(poured, ["Lot #"], {("A-1",): 7, ("B-2",): 5})


@pytest.mark.group("config")
@pytest.mark.advice(
    "Make tuple(row[name] for name in group_by) the key of a group, and write each of its values under its own column."
)
def test_two_group_columns(pour):
    """Two group columns: one object for each pair that occurs."""
    columns = ["hall", "metal"]
    expected = {("east", "tin"): 10, ("west", "iron"): 9, ("west", "tin"): 1}
    expect_sums(pour(TABLE, columns, "weight"), columns, expected)


@pytest.mark.group("config")
@pytest.mark.advice(
    "Loop over all of group_by: the key is tuple(row[name] for name in group_by), and the output starts with"
    " dict(zip(group_by, key))."
)
def test_three_group_columns(pour):
    """Three group columns work like one."""
    columns = ["metal", "shift", "hall"]
    expected = {
        ("tin", "a", "east"): 4,
        ("tin", "b", "east"): 6,
        ("iron", "a", "west"): 9,
        ("tin", "b", "west"): 1,
    }
    expect_sums(pour(TABLE, columns, "weight"), columns, expected)


@pytest.mark.group("config")
@pytest.mark.advice(
    "Take group and value columns from the config of this run alone: tuple(row[name] for name in group_by), and"
    " row[value_field]. Fix no names or positions."
)
def test_one_table_two_configs(pour):
    """The same table under another config gives another result."""
    expect_sums(pour(TABLE, ["hall"], "weight"), ["hall"], {("east",): 10, ("west",): 10})
    columns = ["metal", "shift"]
    expected = {("tin", "a"): 4, ("tin", "b"): 7, ("iron", "a"): 9}
    expect_sums(pour(TABLE, columns, "weight"), columns, expected)


@pytest.mark.group("config")
@pytest.mark.advice(
    "Add up the column that value_field names, found by that name in the header, not by its place or because it"
    " holds numbers."
)
def test_value_field_chooses_the_column(pour):
    """value_field chooses among several columns of numbers."""
    expect_sums(pour(TABLE, ["hall"], "heat"), ["hall"], {("east",): 440, ("west",): 1020})


@pytest.mark.group("config")
@pytest.mark.clause("CSV")
@pytest.mark.advice(
    "Read rows with csv.DictReader, or find header.index(name) for each name in the config."
    " Use no fixed position such as row[0] or row[-1]."
)
def test_columns_in_any_place(pour):
    """Columns are found by name, wherever they are."""
    poured = pour("note,weight,extra,hall\nx,4,y,east\nx,6,y,east\nx,5,y,west\n", ["hall"], "weight")
    expect_sums(poured, ["hall"], {("east",): 10, ("west",): 5})


@pytest.mark.group("config")
@pytest.mark.clause("CSV")
@pytest.mark.advice(
    "Convert and check only the column that value_field names."
    " Leave columns that the config doesn't name unread, and check only how many fields a row has."
)
def test_other_columns_are_ignored(pour):
    """Columns the config does not name are ignored, blanks and words included."""
    poured = pour("hall,weight,heat,remark\neast,4,,\neast,5,cold,n/a\nwest,6,90,\n", ["hall"], "weight")
    expect_sums(poured, ["hall"], {("east",): 9, ("west",): 6})


@pytest.mark.group("config")
@pytest.mark.advice(
    "Read group_by and value_field from the config's dict by name."
    " Don't look at its other keys, and don't unpack it with **config."
)
def test_other_keys_are_ignored(pour):
    """Further keys in the config are ignored."""
    poured = pour(TABLE, ["hall"], "weight", comment="night shift", version=3)
    expect_sums(poured, ["hall"], {("east",): 10, ("west",): 10})


@pytest.mark.group("config")
@pytest.mark.advice(
    "Try the columns and the config shown."
    " Names hold spaces and capitals, and are in any order and number: look each up by its exact name in the header."
)
def test_random_configs(takes, random_shape):
    """Random configs on tables with random columns are followed on plain rows."""
    for _ in range(3):
        header, group_by, value_field = random_shape()
        assert takes(header, group_by, value_field), (
            f"For a CSV with the columns {header}, those that the config does not name left blank, and the config"
            f" {json.dumps({'group_by': group_by, 'value_field': value_field}, ensure_ascii=False)}:"
            " expected one object for each of two plain rows; got something else."
        )


@pytest.mark.group("config_errors")
@pytest.mark.clause("BAD INPUT")
@pytest.mark.advice("Turn json.JSONDecodeError into your own error with a message.")
def test_invalid_json_is_refused(cli):
    """A config that is not valid JSON is refused, an empty file too."""
    refused(cli, '{"group_by": ["hall"], "value_field": ', "")


@pytest.mark.group("config_errors")
@pytest.mark.clause("BAD INPUT")
@pytest.mark.advice("Refuse a config that isn't a dict before you look into it.")
def test_a_config_that_is_no_object_is_refused(cli):
    """A config that is valid JSON but not an object is refused."""
    refused(cli, [["hall"], "weight"], "null")


@pytest.mark.group("config_errors")
@pytest.mark.parametrize(
    ("config", "key"),
    [
        pytest.param({"value_field": "weight"}, "group_by", id="group_by"),
        pytest.param({"group_by": ["hall"]}, "value_field", id="value_field"),
    ],
)
@pytest.mark.clause("BAD INPUT")
@pytest.mark.advice("Refuse a config without group_by or value_field, and name the key that is missing.")
def test_a_missing_key_is_named(cli, config, key):
    """A config without one of its two keys is refused, and the message names the key."""
    expect_named(cli, config, key)


@pytest.mark.group("config_errors")
@pytest.mark.clause("BAD INPUT")
@pytest.mark.advice("Refuse an empty group_by.")
def test_group_by_must_not_be_empty(cli):
    """An empty group_by is refused."""
    refused(cli, {"group_by": [], "value_field": "weight"})


@pytest.mark.group("config_errors")
@pytest.mark.clause("BAD INPUT")
@pytest.mark.advice("Refuse a group_by that isn't a list, or holds something that isn't a str.")
def test_group_by_must_be_a_list_of_names(cli):
    """A group_by that isn't a list, or holds anything but names, is refused."""
    broken = [None, {"hall": True}, ["hall", 3]]
    refused(cli, *({"group_by": group_by, "value_field": "weight"} for group_by in broken))


@pytest.mark.group("config_errors")
@pytest.mark.parametrize(
    "config",
    [
        pytest.param({"group_by": ["hall", 3], "value_field": "4"}, id="group_by"),
        pytest.param({"group_by": ["hall", "3"], "value_field": 4}, id="value_field"),
    ],
)
@pytest.mark.clause("BAD INPUT")
@pytest.mark.advice("Check isinstance(name, str) for each name in the config.")
def test_numbers_are_no_names(cli, config):
    """A number as a column name is refused, even if a column has that name."""
    refused(cli, config, table="hall,3,4\neast,a,1\n")
    refused(cli, config)


@pytest.mark.group("config_errors")
@pytest.mark.clause("BAD INPUT")
@pytest.mark.advice("Check isinstance(group_by, list): a str would be iterated letter by letter.")
def test_text_for_group_by_is_not_walked_letter_by_letter(cli):
    """A string for group_by is refused, even if its letters happen to be columns."""
    refused(cli, {"group_by": "ab", "value_field": "n"}, table="a,b,n\nx,y,1\nx,z,2\n")
    refused(cli, {"group_by": "hall", "value_field": "weight"})


@pytest.mark.group("config_errors")
@pytest.mark.clause("BAD INPUT")
@pytest.mark.advice("Check isinstance(value_field, str).")
def test_value_field_must_be_a_name(cli):
    """A value_field that is not one name is refused."""
    refused(cli, *({"group_by": ["hall"], "value_field": value_field} for value_field in (["weight"], 4)))


@pytest.mark.group("config_errors")
@pytest.mark.parametrize(
    ("group_by", "value_field", "column"),
    [
        pytest.param(["hall", "colour"], "weight", "colour", id="group-column"),
        pytest.param(["hall"], "volume", "volume", id="value-column"),
    ],
)
@pytest.mark.clause("BAD INPUT")
@pytest.mark.advice(
    "Compare all columns of the config with the header before the first row, and name the one that is missing."
)
def test_an_unknown_column_is_named(cli, group_by, value_field, column):
    """A column that the header lacks is refused, and the message names it."""
    expect_named(cli, {"group_by": group_by, "value_field": value_field}, column)
