"""The order of the output list, and text that must survive the melt."""

import json

import pytest

pytestmark = pytest.mark.clause("OUTPUT")

HALLS = "hall,shift,weight\nwest,a,1\neast,b,1\nwest,b,1\neast,a,1\n"


def expect(poured, actual, expected, what):
    """Fail with what was expected and what was got."""
    assert actual == expected, poured.unlike(actual, expected, what)


def groups(poured, *columns):
    """The group values of each object, in the order of the output."""
    poured.keyed(columns)
    return [tuple(row[column] for column in columns) for row in poured.rows()]


def expect_groups(poured, column, expected):
    """Compare the values of the one group column, whatever their order."""
    values = [value for (value,) in groups(poured, column)]
    expect(poured, sorted(values, key=repr), sorted(expected, key=repr), "the groups")


@pytest.mark.group("ordering")
@pytest.mark.advice(
    "Keep results in a dict by the tuple of group values, and write them in the order of sorted(groups)."
)
def test_sorted_by_the_group_column(pour):
    """The list is sorted by its group column, not by order of appearance."""
    poured = pour("metal,weight\ntin,1\ncopper,2\niron,9\nbrass,3\n", ["metal"], "weight")
    order = [value for (value,) in groups(poured, "metal")]
    expect(poured, order, ["brass", "copper", "iron", "tin"], "the order")


@pytest.mark.group("ordering")
@pytest.mark.advice(
    "Sort by the tuple of group values as the CSV has them, sorted(groups), with no int() or float() in the sort key."
)
def test_digits_sort_as_text(pour):
    """Group values that look like numbers are sorted as text."""
    poured = pour("bin,weight\n9,1\n10,1\n100,1\n2,1\n", ["bin"], "weight")
    order = [str(value) for (value,) in groups(poured, "bin")]
    expect(poured, order, ["10", "100", "2", "9"], "the order")


@pytest.mark.group("ordering")
@pytest.mark.advice(
    "Sort with sorted(groups): Python compares str by code points. Use no lower(), casefold() or locale in a sort key."
)
def test_capitals_sort_before_small_letters(pour):
    """Upper case sorts before lower case, by code point."""
    poured = pour("mark,weight\nbell,1\nZinc,1\nash,1\nAsh,1\n", ["mark"], "weight")
    order = [value for (value,) in groups(poured, "mark")]
    expect(poured, order, ["Ash", "Zinc", "ash", "bell"], "the order")


@pytest.mark.group("ordering")
@pytest.mark.parametrize(
    "columns", [pytest.param(["hall", "shift"], id="as-in-the-csv"), pytest.param(["shift", "hall"], id="swapped")]
)
@pytest.mark.advice(
    "Build each key as tuple(row[name] for name in group_by), in the order of group_by rather than the header, and"
    " sort by the whole tuple."
)
def test_group_by_decides_which_column_leads(pour, takes, columns):
    """The first column of group_by decides the order, the next ones break ties."""
    if not takes(["hall", "shift", "weight"], columns, "weight"):
        return  # the trials of the config have said so
    poured = pour(HALLS, columns, "weight")
    order = groups(poured, *columns)
    expect(poured, order, sorted(order), "the order")


@pytest.mark.group("fine_print")
@pytest.mark.advice("Keep group values as text, without int() or float().")
def test_digits_stay_text(pour):
    """Group values stay the text they were, leading zeros included."""
    expect_groups(pour("code,weight\n007,1\n7,2\n7.0,4\n", ["code"], "weight"), "code", ["007", "7", "7.0"])


@pytest.mark.group("fine_print")
@pytest.mark.advice("Keep group values as they were, without strip() or lower().")
def test_case_and_spaces_are_kept(pour):
    """Values that differ in case or in spaces are different groups."""
    poured = pour("mark,weight\niron,1\nIron,2\n iron,4\n", ["mark"], "weight")
    expect_groups(poured, "mark", [" iron", "Iron", "iron"])


@pytest.mark.group("fine_print")
@pytest.mark.advice("Treat an empty group value like any other.")
def test_an_empty_group_value_is_a_group(pour):
    """An empty group field is a group of its own."""
    poured = pour("mark,weight\niron,1\n,2\n,3\n", ["mark"], "weight")
    expect_groups(poured, "mark", ["", "iron"])
    counts = [row.get("count") for row in poured.rows() if row["mark"] == ""]
    expect(poured, counts, [2], "the count of the group ''")


@pytest.mark.group("fine_print")
@pytest.mark.clause("CSV")
@pytest.mark.advice('Read the CSV with the csv module instead of split(",").')
def test_commas_inside_quotes(pour):
    """A comma inside quotes belongs to the field."""
    poured = pour('mark,weight\n"rods, bent",2\n"rods, bent",3\nwire,1\n', ["mark"], "weight")
    expect_groups(poured, "mark", ["rods, bent", "wire"])


@pytest.mark.group("fine_print")
@pytest.mark.clause("CSV")
@pytest.mark.advice('Read the CSV with the csv module, from a file opened with newline="".')
def test_quotes_and_line_breaks_inside_quotes(pour):
    """Doubled quotes and line breaks inside a quoted field belong to it."""
    poured = pour('mark,weight\n"the ""good"" pile",2\n"upper\nlower",1\n', ["mark"], "weight")
    expect_groups(poured, "mark", ['the "good" pile', "upper\nlower"])


@pytest.mark.group("fine_print")
@pytest.mark.clause("CSV")
@pytest.mark.advice('Open the CSV with newline="", so that a CRLF inside quotes stays one.')
def test_windows_line_breaks_inside_quotes(pour):
    """A CRLF inside a quoted field is kept as it is."""
    poured = pour(b'mark,weight\r\n"upper\r\nlower",1\r\n"upper\nlower",2\r\n', ["mark"], "weight")
    expect_groups(poured, "mark", ["upper\nlower", "upper\r\nlower"])


@pytest.mark.group("fine_print")
@pytest.mark.advice('Open every file with encoding="utf-8".')
def test_letters_beyond_ascii(pour):
    """Letters beyond ASCII are kept, in names and in values."""
    poured = pour("münze,gewicht\nMünster,2\nŁódź,3\nMünster,5\n".encode(), ["münze"], "gewicht")
    expect_groups(poured, "münze", ["Münster", "Łódź"])


@pytest.mark.group("fine_print")
@pytest.mark.clause("CSV")
@pytest.mark.advice('Open the CSV with newline="" and read it with the csv module.')
def test_windows_line_ends(pour):
    """Lines that end in CRLF are read like any others."""
    poured = pour(b"mark,weight\r\niron,2\r\niron,3\r\ntin,4\r\n", ["mark"], "weight")
    expect_groups(poured, "mark", ["iron", "tin"])


@pytest.mark.group("fine_print")
@pytest.mark.clause("CSV")
@pytest.mark.advice('Open the CSV with newline="" and read it with the csv module, which takes the CR off.')
def test_windows_line_ends_after_a_group(pour, takes):
    """A carriage return belongs to the line end, not to a value in the last column."""
    if not takes(["weight", "mark"], ["mark"], "weight"):
        return  # the trials of the config have said so
    poured = pour(b"weight,mark\r\n2,iron\r\n3,iron\r\n4,tin\r\n", ["mark"], "weight")
    expect_groups(poured, "mark", ["iron", "tin"])


@pytest.mark.group("fine_print")
@pytest.mark.advice('Open the output with mode "w".')
def test_an_old_output_is_replaced(pour):
    """An output file that was there before is replaced as a whole."""
    stale = json.dumps([{"mark": "stale", "sum": 1, "count": 1, "avg": 1}] * 50)
    poured = pour("mark,weight\niron,1\n", ["mark"], "weight", files={"bars.json": stale})
    expect_groups(poured, "mark", ["iron"])
