"""The order of the output list, and text that must survive the melt."""

import json

import pytest


def pour(cli, table, group_by, value_field, **more_files):
    """Run on good input and give back the rows of the output as they stand."""
    config = json.dumps({"group_by": group_by, "value_field": value_field}, ensure_ascii=False)
    run = cli(
        *("--input", "melt.csv", "--config", "slip.json", "--output", "bars.json"),
        files={"melt.csv": table, "slip.json": config, **more_files},
    )
    assert run.exit_code == 0, "A good CSV with a good config must end with exit status 0."
    rows = run.json("bars.json")
    assert isinstance(rows, list), "The output is a JSON list."
    assert all(isinstance(row, dict) for row in rows), "Each entry of the output list is an object."
    return rows


def groups(rows, *columns):
    """The group values of each row, in the order of the output."""
    assert all(column in row for row in rows for column in columns), "Group columns keep their names in the output."
    return [tuple(row[column] for column in columns) for row in rows]


@pytest.mark.group("ordering")
def test_sorted_by_the_group_column(cli):
    """The list is sorted by its group column, not by order of appearance."""
    rows = pour(cli, "metal,weight\ntin,1\ncopper,2\niron,9\nbrass,3\n", ["metal"], "weight")
    order = [value for (value,) in groups(rows, "metal")]
    assert order == ["brass", "copper", "iron", "tin"], "Sort the output by the values of the group column."


@pytest.mark.group("ordering")
def test_digits_sort_as_text(cli):
    """Group values that look like numbers are sorted as text."""
    rows = pour(cli, "bin,weight\n9,1\n10,1\n100,1\n2,1\n", ["bin"], "weight")
    order = [str(value) for (value,) in groups(rows, "bin")]
    assert order == ["10", "100", "2", "9"], (
        "Text order compares character by character: a longer number may come first."
    )


@pytest.mark.group("ordering")
def test_capitals_sort_before_small_letters(cli):
    """Upper case sorts before lower case, by code point."""
    rows = pour(cli, "mark,weight\nbell,1\nZinc,1\nash,1\nAsh,1\n", ["mark"], "weight")
    order = [value for (value,) in groups(rows, "mark")]
    assert order == ["Ash", "Zinc", "ash", "bell"], "Compare by code points, as Python compares str; do not fold case."


@pytest.mark.group("ordering")
def test_first_group_column_leads(cli):
    """With several group columns the first one leads and the next ones break ties."""
    rows = pour(cli, "hall,shift,weight\nwest,a,1\neast,b,1\nwest,b,1\neast,a,1\n", ["hall", "shift"], "weight")
    expected = [("east", "a"), ("east", "b"), ("west", "a"), ("west", "b")]
    assert groups(rows, "hall", "shift") == expected, "Sort by the first group column, then the second."


@pytest.mark.group("ordering")
def test_group_by_decides_which_column_leads(cli):
    """The order of group_by decides which column leads, not the order in the CSV."""
    rows = pour(cli, "hall,shift,weight\nwest,a,1\neast,b,1\nwest,b,1\neast,a,1\n", ["shift", "hall"], "weight")
    expected = [("a", "east"), ("a", "west"), ("b", "east"), ("b", "west")]
    assert groups(rows, "shift", "hall") == expected, (
        "The sort follows group_by, wherever the columns stand in the CSV."
    )


def unordered(rows, *columns):
    """The group values of each row, whatever the order of the output."""
    return sorted(groups(rows, *columns), key=repr)


@pytest.mark.group("fine_print")
def test_digits_stay_text(cli):
    """Group values stay the text they were, leading zeros included."""
    rows = pour(cli, "code,weight\n007,1\n7,2\n7.0,4\n", ["code"], "weight")
    assert unordered(rows, "code") == [("007",), ("7",), ("7.0",)], "Do not turn group values into numbers."


@pytest.mark.group("fine_print")
def test_case_and_spaces_are_kept(cli):
    """Values that differ in case or in spaces are different groups."""
    rows = pour(cli, "mark,weight\niron,1\nIron,2\n iron,4\n", ["mark"], "weight")
    assert unordered(rows, "mark") == [(" iron",), ("Iron",), ("iron",)], (
        "Neither trim group values nor change their case."
    )


@pytest.mark.group("fine_print")
def test_an_empty_group_value_is_a_group(cli):
    """An empty group field is a group of its own."""
    rows = pour(cli, "mark,weight\niron,1\n,2\n,3\n", ["mark"], "weight")
    assert unordered(rows, "mark") == [("",), ("iron",)], (
        "Rows with an empty group field belong to the group of the empty text."
    )
    counts = [row.get("count") for row in rows if row["mark"] == ""]
    assert counts == [2], "Rows with an empty group field are counted like any others."


@pytest.mark.group("fine_print")
def test_commas_inside_quotes(cli):
    """A comma inside quotes belongs to the field."""
    rows = pour(cli, 'mark,weight\n"rods, bent",2\n"rods, bent",3\nwire,1\n', ["mark"], "weight")
    assert unordered(rows, "mark") == [("rods, bent",), ("wire",)], (
        "Let the csv module split the fields: quotes may hold commas."
    )


@pytest.mark.group("fine_print")
def test_quotes_and_line_breaks_inside_quotes(cli):
    """Doubled quotes and line breaks inside a quoted field belong to it."""
    rows = pour(cli, 'mark,weight\n"the ""good"" pile",2\n"upper\nlower",1\n', ["mark"], "weight")
    expected = [('the "good" pile',), ("upper\nlower",)]
    assert unordered(rows, "mark") == expected, (
        "Doubled quotes mean one quote; a quoted field may go on in the next line."
    )


@pytest.mark.group("fine_print")
def test_windows_line_breaks_inside_quotes(cli):
    """A CRLF inside a quoted field is kept as it is."""
    rows = pour(cli, b'mark,weight\r\n"upper\r\nlower",1\r\n"upper\nlower",2\r\n', ["mark"], "weight")
    assert unordered(rows, "mark") == [("upper\nlower",), ("upper\r\nlower",)], (
        "Group values are unchanged: open the CSV with newline='', so that line breaks inside quotes stay."
    )


@pytest.mark.group("fine_print")
def test_letters_beyond_ascii(cli):
    """Letters beyond ASCII come through unharmed, in names and in values."""
    rows = pour(cli, "Gießerei,Gewicht\nMünster,2\nŁódź,3\nMünster,5\n".encode(), ["Gießerei"], "Gewicht")
    assert unordered(rows, "Gießerei") == [("Münster",), ("Łódź",)], "Read and write the files as UTF-8."


@pytest.mark.group("fine_print")
def test_windows_line_ends(cli):
    """Lines that end in CRLF are read like any others."""
    rows = pour(cli, b"weight,mark\r\n2,iron\r\n3,iron\r\n4,tin\r\n", ["mark"], "weight")
    assert unordered(rows, "mark") == [("iron",), ("tin",)], (
        "The carriage return belongs to the line end, not to the last field."
    )


@pytest.mark.group("fine_print")
def test_an_old_output_is_replaced(cli):
    """An output file that was there before is replaced as a whole."""
    stale = json.dumps([{"mark": "stale", "sum": 1, "count": 1, "avg": 1}] * 50)
    rows = pour(cli, "mark,weight\niron,1\n", ["mark"], "weight", **{"bars.json": stale})
    assert unordered(rows, "mark") == [("iron",)], "Nothing of an earlier output may be left in the file."
