"""Groups, sums, counts and averages: on plain data, then on data with an edge to it."""

import json
import math

import pytest

pytestmark = pytest.mark.clause("OUTPUT")

RESULTS = ("sum", "count", "avg")


def expect(poured, actual, expected, what):
    """Fail with what was expected and what was got."""
    assert actual == expected, poured.unlike(actual, expected, what)


def close(actual, expected):
    """Whether a JSON number meets the contract's tolerance."""
    is_number = isinstance(actual, int | float) and not isinstance(actual, bool)
    return is_number and math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-6)


def expect_results(poured, group_by, expected):
    """Compare the results of each group that is listed: its values by the results' names."""
    keyed = poured.keyed(group_by, RESULTS)
    for group, results in expected.items():
        label = (group,) if isinstance(group, str) else group
        assert label in keyed, f"{poured.case}: expected a group {label}; got {sorted(keyed)}."
        for name, value in results.items():
            actual = keyed[label][name]
            is_right = close(actual, value) if name != "count" else actual == value
            assert is_right, f"{poured.case}: expected {name} {value} for {label}; got {actual!r}."


@pytest.mark.group("basics")
@pytest.mark.advice(
    "Keep a dict from each group's values to its numbers."
    " Write a JSON list with one object per key: the group columns, sum, count and avg."
)
def test_one_object_for_each_group(pour):
    """Every group of the CSV gets one object in the output list."""
    poured = pour("metal,weight\ncopper,4\ncopper,2\niron,6\ntin,1\n", ["metal"], "weight")
    groups = sorted(poured.keyed(["metal"], RESULTS))
    expect(poured, groups, [("copper",), ("iron",), ("tin",)], "the groups")


@pytest.mark.group("basics")
@pytest.mark.advice(
    "Add float(row[value_field]) of every row to its group's total, and write the total as sum: a number, not text."
)
def test_sums(pour):
    """The sum of a group adds up all its values."""
    poured = pour("metal,weight\ncopper,4\ncopper,5\ncopper,9\niron,6\n", ["metal"], "weight")
    expect_results(poured, ["metal"], {"copper": {"sum": 18}, "iron": {"sum": 6}})


@pytest.mark.group("basics")
@pytest.mark.advice("Start a group's count at 0, add 1 for each of its rows, and write it as an int.")
def test_counts(pour):
    """The count of a group is its number of rows."""
    poured = pour("metal,weight\ncopper,4\ncopper,5\ncopper,9\niron,6\niron,8\n", ["metal"], "weight")
    expect_results(poured, ["metal"], {"copper": {"count": 3}, "iron": {"count": 2}})


@pytest.mark.group("basics")
@pytest.mark.advice(
    "Divide the sum by the count with / when all rows are in, not with //, and write the number without round() or"
    " str()."
)
def test_averages(pour):
    """The average of a group is its sum divided by its count."""
    poured = pour("metal,weight\ncopper,4\ncopper,5\ncopper,9\niron,7\niron,8\n", ["metal"], "weight")
    expect_results(poured, ["metal"], {"copper": {"avg": 6}, "iron": {"avg": 7.5}})


@pytest.mark.group("basics")
@pytest.mark.advice(
    "Treat a group's first row like the others: begin with total 0 and count 0, then add it."
    " Write the numbers without str()."
)
def test_a_single_row(pour):
    """One row is a group: its value is both sum and average."""
    poured = pour("metal,weight\nlead,11\n", ["metal"], "weight")
    expect_results(poured, ["metal"], {"lead": {"count": 1, "sum": 11, "avg": 11}})


@pytest.mark.group("fine_print")
@pytest.mark.advice("Write the group columns, sum, count and avg into each object, and nothing else.")
def test_objects_hold_nothing_else(pour):
    """An object has the group columns, sum, count and avg, and nothing else."""
    poured = pour("metal,smith,weight\ncopper,ada,4\ncopper,bo,5\n", ["metal"], "weight")
    for row in poured.keyed(["metal"]).values():
        expect(poured, sorted(row), sorted(["metal", *RESULTS]), "an object with")


@pytest.mark.group("fine_print")
@pytest.mark.clause("RUN")
@pytest.mark.advice("Read the three options with argparse, and accept any file names.")
def test_options_in_any_order_and_files_of_any_name(cli):
    """Options may come in any order, and files may have any name."""
    config = json.dumps({"group_by": ["metal"], "value_field": "weight"})
    arguments = "--output tuesday.out --config order.conf --input tuesday.txt"
    run = cli(*arguments.split(), files={"tuesday.txt": "metal,weight\ntin,3\n", "order.conf": config})
    assert run.exit_code == 0, f"{arguments}: expected exit status 0; got {run.exit_code}."
    rows = run.json("tuesday.out")
    is_right = isinstance(rows, list) and len(rows) == 1 and isinstance(rows[0], dict) and close(rows[0].get("sum"), 3)
    assert is_right, f"{arguments}: expected one object with the sum 3 in tuesday.out; got {rows!r}."


@pytest.mark.group("aggregation")
@pytest.mark.clause("CSV", "OUTPUT")
@pytest.mark.advice("Add decimals as floats or Fractions, without int() or rounding.")
def test_decimals(pour):
    """Decimal values are added as decimals, within a small tolerance."""
    poured = pour("vat,fill\na,0.1\na,0.2\nb,2.5\nb,0.5\n", ["vat"], "fill")
    expect_results(poured, ["vat"], {"a": {"sum": 0.3}, "b": {"avg": 1.5}})


@pytest.mark.group("aggregation")
@pytest.mark.clause("CSV")
@pytest.mark.advice("Add each value with its sign.")
def test_negative_values(pour):
    """Negative values count as what they are."""
    poured = pour("vat,fill\na,-4\na,1.5\nb,-1\nb,-2\n", ["vat"], "fill")
    expect_results(poured, ["vat"], {"a": {"sum": -2.5}, "b": {"avg": -1.5}})


@pytest.mark.group("aggregation")
@pytest.mark.advice("List every group that has a row, also one whose sum is 0.")
def test_groups_that_come_to_nothing(pour):
    """A group whose values cancel out, or are zero, is still a group."""
    poured = pour("vat,fill\na,5\na,-5\nb,0\n", ["vat"], "fill")
    expect_results(poured, ["vat"], {"a": {"sum": 0}, "b": {"count": 1}})


@pytest.mark.group("aggregation")
@pytest.mark.advice("Write sum and avg as they are, without round().")
def test_averages_are_not_rounded(pour):
    """Averages and sums are written in full, not rounded."""
    poured = pour("vat,fill\na,1.111\na,2.2222\nb,0.00125\n", ["vat"], "fill")
    expect_results(poured, ["vat"], {"a": {"avg": 1.6666}, "b": {"sum": 0.00125}})


@pytest.mark.group("aggregation")
@pytest.mark.advice("Count every row, equal ones too: no set and no dict of rows.")
def test_equal_values_count_each_time(pour):
    """Equal values, even wholly equal rows, count each time they appear."""
    poured = pour("vat,fill\na,7\nb,1\na,7\n", ["vat"], "fill")
    expect_results(poured, ["vat"], {"a": {"count": 2, "sum": 14}})


@pytest.mark.group("aggregation")
@pytest.mark.advice("Gather rows in a dict by group; itertools.groupby only joins neighbours.")
def test_scattered_rows_meet_in_one_group(pour):
    """Rows of one group are found wherever they are in the file."""
    poured = pour("vat,fill\na,1\nb,10\na,2\nb,20\na,3\n", ["vat"], "fill")
    expect_results(poured, ["vat"], {"a": {"count": 3}, "b": {"sum": 30}})


@pytest.mark.group("aggregation")
@pytest.mark.advice("Use the tuple of group values as the key, not a text joined of them.")
def test_values_that_could_be_glued_together(pour, takes):
    """Pairs of group values stay distinct even if they look alike when joined."""
    if not takes(["x", "y", "n"], ["x", "y"], "n"):
        return  # the trials of the config have said so
    poured = pour("x,y,n\nab,c,1\na,bc,2\na-b,c,4\na,b-c,8\n", ["x", "y"], "n")
    expected = {("ab", "c"): 1, ("a", "bc"): 2, ("a-b", "c"): 4, ("a", "b-c"): 8}
    expect_results(poured, ["x", "y"], {group: {"sum": total} for group, total in expected.items()})


@pytest.mark.group("aggregation")
@pytest.mark.clause("CSV")
@pytest.mark.advice("Let float() read the number: it takes spaces around it and a plus sign.")
def test_signs_and_spaces_around_numbers(pour):
    """A plus sign or spaces around a number do not change it."""
    poured = pour("vat,fill\na, 4.5\na,+2 \nb,  -1\n", ["vat"], "fill")
    expect_results(poured, ["vat"], {"a": {"sum": 6.5}, "b": {"sum": -1}})


@pytest.mark.group("aggregation")
@pytest.mark.advice(
    "Collect each group's values in a dict, row by row, without searching earlier rows."
    " Add them with math.fsum or as Fractions, and round nothing."
)
def test_many_rows(pour):
    """Thousands of rows are summed within the tolerance."""
    lines = [f"v{index % 7},{index / 10:.1f}" for index in range(7000)]
    poured = pour("vat,fill\n" + "\n".join(lines) + "\n", ["vat"], "fill")
    expected = {f"v{start}": {"count": 1000, "sum": sum(range(start, 7000, 7)) / 10} for start in range(7)}
    expect(poured, len(poured.keyed(["vat"])), 7, "as many groups as")
    expect_results(poured, ["vat"], expected)
