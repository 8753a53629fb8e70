"""The config decides, and nothing but the config; a broken one is refused before anything is poured."""

import json

import pytest

TABLE = """\
hall,shift,metal,weight,heat
east,a,tin,4,210
east,b,tin,6,230
west,b,tin,1,220
west,a,iron,9,800
"""


def run_with(cli, table, config):
    """Run on a table and a config given as text."""
    return cli(
        *("--input", "melt.csv", "--config", "slip.json", "--output", "bars.json"),
        files={"melt.csv": table, "slip.json": config},
    )


def sums(cli, table, group_by, value_field, **more_keys):
    """Group values to sum, for a good config."""
    run = run_with(cli, table, json.dumps({"group_by": group_by, "value_field": value_field, **more_keys}))
    assert run.exit_code == 0, (
        "A good config for good data must end with exit status 0, whatever its columns are called."
    )
    rows = run.json("bars.json")
    assert isinstance(rows, list), "The output is a JSON list."
    assert all(isinstance(row, dict) for row in rows), "Each entry of the output list is an object."
    assert all(name in row for row in rows for name in (*group_by, "sum")), (
        "Each object carries the columns that group_by names, and sum."
    )
    return {tuple(str(row[name]) for name in group_by): number(row["sum"]) for row in rows}


def number(value):
    """The number that a sum is. How it must be written is not what these trials are about."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return value


def refused(cli, *configs):
    """The four promises about each broken config, and that this is not a program which refuses everything.

    Returns what was said about the last one.
    """
    said = ""
    for config in configs:
        run = run_with(cli, TABLE, config if isinstance(config, str) else json.dumps(config))
        assert not run.traceback, "A broken config must not end in a traceback: check it and say what is wrong."
        assert run.exit_code == 1, "A broken config must end with exit status 1."
        assert run.stderr.strip(), "Say on standard error what is wrong with the config."
        assert "bars.json" not in run.files, "A refused config must not leave an output file."
        said = run.stderr
    sound = run_with(cli, TABLE, json.dumps({"group_by": ["hall"], "value_field": "weight"}))
    assert sound.exit_code == 0, (
        "A refusal counts only where a sound config is accepted: this program refused that too."
    )
    return said


@pytest.mark.group("config")
def test_columns_of_any_name(cli):
    """Columns may have any name: the config says which one is which."""
    table = "wolf,moon\ngrey,3\ngrey,4\nblack,5\n"
    assert sums(cli, table, ["wolf"], "moon") == {("grey",): 7, ("black",): 5}, (
        "Take column names from the config alone."
    )


@pytest.mark.group("config")
def test_names_with_spaces_and_signs(cli):
    """Column names may hold spaces, capitals and signs."""
    table = "Net Weight (kg),Lot #\n3,A-1\n4,A-1\n5,B-2\n"
    found = sums(cli, table, ["Lot #"], "Net Weight (kg)")
    assert found == {("A-1",): 7, ("B-2",): 5}, "A column name is any text: compare it whole, do not tidy it."


@pytest.mark.group("config")
def test_two_group_columns(cli):
    """Two group columns: one object for each pair that occurs."""
    found = sums(cli, TABLE, ["hall", "metal"], "weight")
    expected = {("east", "tin"): 10, ("west", "iron"): 9, ("west", "tin"): 1}
    assert found == expected, "With two group columns each pair that occurs in the data is a group."


@pytest.mark.group("config")
def test_three_group_columns(cli):
    """Three group columns work like one."""
    found = sums(cli, TABLE, ["metal", "shift", "hall"], "weight")
    assert found == {
        ("tin", "a", "east"): 4,
        ("tin", "b", "east"): 6,
        ("iron", "a", "west"): 9,
        ("tin", "b", "west"): 1,
    }, "Any number of group columns must work."


@pytest.mark.group("config")
def test_one_table_two_configs(cli):
    """The same table under another config gives another result."""
    assert sums(cli, TABLE, ["hall"], "weight") == {("east",): 10, ("west",): 10}, "group_by decides the groups."
    assert sums(cli, TABLE, ["metal", "shift"], "weight") == {
        ("tin", "a"): 4,
        ("tin", "b"): 7,
        ("iron", "a"): 9,
    }, "Another group_by makes other groups."


@pytest.mark.group("config")
def test_value_field_chooses_the_column(cli):
    """value_field chooses among several columns of numbers."""
    found = sums(cli, TABLE, ["hall"], "heat")
    assert found == {("east",): 440, ("west",): 1020}, "Add up the column that value_field names, not another one."


@pytest.mark.group("config")
def test_columns_in_any_place(cli):
    """Columns are found by name, wherever they stand."""
    table = "note,weight,extra,hall\nx,4,y,east\nx,6,y,east\nx,5,y,west\n"
    assert sums(cli, table, ["hall"], "weight") == {("east",): 10, ("west",): 5}, (
        "Find columns by name, not by position."
    )


@pytest.mark.group("config")
def test_other_columns_are_ignored(cli):
    """Columns the config does not name are ignored, blanks and words included."""
    table = "hall,weight,heat,remark\neast,4,,\neast,5,cold,n/a\nwest,6,90,\n"
    assert sums(cli, table, ["hall"], "weight") == {("east",): 9, ("west",): 6}, (
        "Look only at columns the config names."
    )


@pytest.mark.group("config")
def test_other_keys_are_ignored(cli):
    """Further keys in the config are ignored."""
    found = sums(cli, TABLE, ["hall"], "weight", comment="night shift", version=3)
    assert found == {("east",): 10, ("west",): 10}, "Keys you do not know are no reason to refuse a config."


@pytest.mark.group("config_errors")
def test_invalid_json_is_refused(cli):
    """A config that is not valid JSON is refused, an empty file too."""
    refused(cli, '{"group_by": ["hall"], "value_field": ', "")


@pytest.mark.group("config_errors")
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
def test_a_missing_key_is_named(cli, config, key):
    """A config without one of its two keys is refused, and the message names the key."""
    assert key in refused(cli, config), "Name the missing key in the message."


@pytest.mark.group("config_errors")
def test_group_by_must_not_be_empty(cli):
    """A group_by without a single name is refused."""
    refused(cli, {"group_by": [], "value_field": "weight"})


@pytest.mark.group("config_errors")
def test_group_by_must_be_a_list_of_names(cli):
    """A group_by that is not a list, or holds something else than names, is refused."""
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
def test_numbers_are_no_names(cli, config):
    """A number in place of a column name is refused, even where a column has that name."""
    run = run_with(cli, "hall,3,4\neast,a,1\n", json.dumps(config))
    assert run.exit_code == 1, "Column names in the config are strings: refuse a number, don't convert it."
    refused(cli, config)


@pytest.mark.group("config_errors")
def test_text_for_group_by_is_not_walked_letter_by_letter(cli):
    """A text given for group_by is refused, even where its letters happen to be columns."""
    run = run_with(cli, "a,b,n\nx,y,1\nx,z,2\n", json.dumps({"group_by": "ab", "value_field": "n"}))
    assert run.exit_code == 1, "A str is a sequence of letters: check that group_by is a list before walking it."
    refused(cli, {"group_by": "hall", "value_field": "weight"})


@pytest.mark.group("config_errors")
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
def test_an_unknown_column_is_named(cli, group_by, value_field, column):
    """A column that the header lacks is refused, and the message names it."""
    said = refused(cli, {"group_by": group_by, "value_field": value_field})
    assert column in said, "Name the column that the CSV does not have."
