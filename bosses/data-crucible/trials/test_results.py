"""Groups, sums, counts and averages: on plain data, then on data with an edge to it."""

import json
import math

import pytest

RESULTS = ("sum", "count", "avg")


def pour(cli, table, group_by, value_field):
    """Run on good input and give back the output, keyed by group values, whatever its order."""
    config = json.dumps({"group_by": group_by, "value_field": value_field})
    run = cli(
        *("--input", "melt.csv", "--config", "slip.json", "--output", "bars.json"),
        files={"melt.csv": table, "slip.json": config},
    )
    assert run.exit_code == 0, "A good CSV with a good config must end with exit status 0."
    rows = run.json("bars.json")
    assert isinstance(rows, list), "The output is a JSON list."
    keyed = {}
    for row in rows:
        assert isinstance(row, dict), "Each entry of the output list is an object."
        missing = [name for name in (*group_by, *RESULTS) if name not in row]
        assert not missing, "Each object needs the group columns under their own names, and sum, count and avg."
        keyed[tuple(str(row[name]) for name in group_by)] = row
    assert len(keyed) == len(rows), "Each combination of group values gets one object, not several."
    return keyed


def close(actual, expected):
    """Whether a JSON number meets the contract's tolerance."""
    is_number = isinstance(actual, int | float) and not isinstance(actual, bool)
    return is_number and math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-6)


def row_of(keyed, *group):
    assert group in keyed, "A group that is in the CSV is missing from the output."
    return keyed[group]


@pytest.mark.group("basics")
def test_one_object_for_each_group(cli):
    """Every group of the CSV gets one object in the output list."""
    keyed = pour(cli, "metal,weight\ncopper,4\ncopper,2\niron,6\ntin,1\n", ["metal"], "weight")
    assert set(keyed) == {("copper",), ("iron",), ("tin",)}, "The groups are the distinct values of the group column."


@pytest.mark.group("basics")
def test_sums(cli):
    """The sum of a group adds up all its values."""
    keyed = pour(cli, "metal,weight\ncopper,4\ncopper,5\ncopper,9\niron,6\n", ["metal"], "weight")
    assert close(row_of(keyed, "copper")["sum"], 18), "sum must add every value of the group, as a JSON number."
    assert close(row_of(keyed, "iron")["sum"], 6), "Values of one group must not leak into another's sum."


@pytest.mark.group("basics")
def test_counts(cli):
    """The count of a group is its number of rows."""
    keyed = pour(cli, "metal,weight\ncopper,4\ncopper,5\ncopper,9\niron,6\niron,8\n", ["metal"], "weight")
    assert row_of(keyed, "copper")["count"] == 3, "count is the number of rows in the group."
    assert row_of(keyed, "iron")["count"] == 2, "Each group has a count of its own."


@pytest.mark.group("basics")
def test_averages(cli):
    """The average of a group is its sum divided by its count."""
    keyed = pour(cli, "metal,weight\ncopper,4\ncopper,5\ncopper,9\niron,7\niron,8\n", ["metal"], "weight")
    assert close(row_of(keyed, "copper")["avg"], 6), "avg is the sum of all the group's values divided by their count."
    assert close(row_of(keyed, "iron")["avg"], 7.5), "avg keeps its fraction."


@pytest.mark.group("basics")
def test_a_single_row(cli):
    """One row is a group: its value is both sum and average."""
    keyed = pour(cli, "metal,weight\nlead,11\n", ["metal"], "weight")
    row = row_of(keyed, "lead")
    assert row["count"] == 1, "A group of one row has count 1."
    assert close(row["sum"], 11), "The sum of one row is its value."
    assert close(row["avg"], 11), "The average of one row is its value."


@pytest.mark.group("fine_print")
def test_objects_hold_nothing_else(cli):
    """An object has the group columns, sum, count and avg, and nothing else."""
    keyed = pour(cli, "metal,weight,smith\ncopper,4,ada\ncopper,5,bo\n", ["metal"], "weight")
    names = set(row_of(keyed, "copper"))
    assert names == {"metal", *RESULTS}, "Leave out columns that are neither grouped by nor one of the three results."


@pytest.mark.group("fine_print")
def test_options_in_any_order_and_files_of_any_name(cli):
    """Options may come in any order, and files may have any name."""
    config = json.dumps({"group_by": ["metal"], "value_field": "weight"})
    run = cli(
        *("--output", "tuesday.out", "--config", "order.conf", "--input", "tuesday.txt"),
        files={"tuesday.txt": "metal,weight\ntin,3\n", "order.conf": config},
    )
    assert run.exit_code == 0, "The order of options and the endings of file names carry no meaning."
    assert close(run.json("tuesday.out")[0]["sum"], 3), "The result belongs in the file that --output names."


@pytest.mark.group("aggregation")
def test_decimals(cli):
    """Decimal values are added as decimals, within a small tolerance."""
    keyed = pour(cli, "vat,fill\na,0.1\na,0.2\nb,2.5\nb,0.5\n", ["vat"], "fill")
    assert close(row_of(keyed, "a")["sum"], 0.3), "Fractions must not be cut off; tiny float errors are fine."
    assert close(row_of(keyed, "b")["avg"], 1.5), "The average of decimals is a decimal."


@pytest.mark.group("aggregation")
def test_negative_values(cli):
    """Negative values count as what they are."""
    keyed = pour(cli, "vat,fill\na,-4\na,1.5\nb,-1\nb,-2\n", ["vat"], "fill")
    assert close(row_of(keyed, "a")["sum"], -2.5), "A negative value lowers the sum."
    assert close(row_of(keyed, "b")["avg"], -1.5), "The average of negative values is negative."


@pytest.mark.group("aggregation")
def test_groups_that_come_to_nothing(cli):
    """A group whose values cancel out, or are zero, is still a group."""
    keyed = pour(cli, "vat,fill\na,5\na,-5\nb,0\n", ["vat"], "fill")
    assert close(row_of(keyed, "a")["sum"], 0), "Values that cancel out give the sum 0, not a missing group."
    assert row_of(keyed, "b")["count"] == 1, "A zero is a value and is counted."


@pytest.mark.group("aggregation")
def test_averages_are_not_rounded(cli):
    """Averages and sums are written in full, not rounded."""
    keyed = pour(cli, "vat,fill\na,1.111\na,2.2222\nb,0.00125\n", ["vat"], "fill")
    assert close(row_of(keyed, "a")["avg"], 1.6666), "Rounding is for whoever reads the numbers, not for the crucible."
    assert close(row_of(keyed, "b")["sum"], 0.00125), "Small values keep their digits."


@pytest.mark.group("aggregation")
def test_equal_values_count_each_time(cli):
    """Equal values, even wholly equal rows, count each time they appear."""
    keyed = pour(cli, "vat,fill\na,7\nb,1\na,7\n", ["vat"], "fill")
    row = row_of(keyed, "a")
    assert row["count"] == 2, "Equal rows are separate rows."
    assert close(row["sum"], 14), "Every row counts in the sum, equal ones too."


@pytest.mark.group("aggregation")
def test_scattered_rows_meet_in_one_group(cli):
    """Rows of one group are found wherever they stand in the file."""
    keyed = pour(cli, "vat,fill\na,1\nb,10\na,2\nb,20\na,3\n", ["vat"], "fill")
    assert row_of(keyed, "a")["count"] == 3, "Rows of a group need not be neighbours."
    assert close(row_of(keyed, "b")["sum"], 30), "Rows of a group need not be neighbours."


@pytest.mark.group("aggregation")
def test_values_that_could_be_glued_together(cli):
    """Pairs of group values are kept apart even where they would look alike when joined."""
    keyed = pour(cli, "x,y,n\nab,c,1\na,bc,2\na-b,c,4\na,b-c,8\n", ["x", "y"], "n")
    sums = {group: row["sum"] for group, row in keyed.items()}
    assert sums == {("ab", "c"): 1, ("a", "bc"): 2, ("a-b", "c"): 4, ("a", "b-c"): 8}, (
        "Key groups by a tuple of values: values joined into one text can collide."
    )


@pytest.mark.group("aggregation")
def test_signs_and_spaces_around_numbers(cli):
    """A plus sign or spaces around a number do not change it."""
    keyed = pour(cli, "vat,fill\na, 4.5\na,+2 \nb,  -1\n", ["vat"], "fill")
    assert close(row_of(keyed, "a")["sum"], 6.5), "Read the number; plus signs and spaces around it do not matter."
    assert close(row_of(keyed, "b")["sum"], -1), "Spaces before a minus sign do not matter."


@pytest.mark.group("aggregation")
def test_many_rows(cli):
    """Thousands of rows are summed within the tolerance."""
    lines = [f"v{index % 7},{index / 10:.1f}" for index in range(7000)]
    keyed = pour(cli, "vat,fill\n" + "\n".join(lines) + "\n", ["vat"], "fill")
    assert len(keyed) == 7, "Groups do not multiply with the number of rows."
    for start in range(7):
        exact = sum(range(start, 7000, 7)) / 10
        row = row_of(keyed, f"v{start}")
        assert row["count"] == 1000, "Every row counts, first and last too."
        assert close(row["sum"], exact), "A long sum drifted beyond the tolerance."
