"""Laws that hold for every table, tried on random ones."""

import csv
import io
import json
import math
from fractions import Fraction

import pytest

pytestmark = pytest.mark.group("properties")

NAMES = ["smith", "Alloy", "hall 3", "größe", "shift", "lot", "x", "Year", "n°", "value"]
WORDS = ["ash", "Ash", "10", "9", "007", "rod, bent", "é", "", "z z", 'the "good"', "Zinc", "b-c", "a"]


def random_table(rng, rows):
    """Header, rows, group_by and value_field of a random table; values have at most two decimals."""
    header = rng.sample(NAMES, rng.randint(3, 6))
    *group_by, value_field = rng.sample(header, rng.randint(2, 4 if len(header) > 3 else 3))
    words = {name: rng.sample(WORDS, rng.randint(1, 4)) for name in header}
    table = [{name: rng.choice(words[name]) for name in header} for _ in range(rows)]
    for row in table:
        row[value_field] = f"{rng.randint(-9999, 9999) / 100:.2f}"
    return header, table, group_by, value_field


def as_csv(header, table):
    text = io.StringIO()
    writer = csv.DictWriter(text, header, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()


def pour(cli, header, table, group_by, value_field):
    """Run on a random table and give back the rows of the output."""
    config = json.dumps({"group_by": group_by, "value_field": value_field})
    run = cli(
        *("--input", "melt.csv", "--config", "slip.json", "--output", "bars.json"),
        files={"melt.csv": as_csv(header, table), "slip.json": config},
    )
    assert run.exit_code == 0, "A good random table must end with exit status 0."
    rows = run.json("bars.json")
    names = {*group_by, "sum", "count", "avg"}
    assert isinstance(rows, list), "The output is a JSON list."
    assert all(isinstance(row, dict) and set(row) == names for row in rows), (
        "Each entry of the output is an object with the group columns, sum, count and avg."
    )
    numbers = [row[name] for row in rows for name in ("sum", "count", "avg")]
    assert all(isinstance(number, int | float) for number in numbers), "sum, count and avg are JSON numbers, not text."
    return rows


def close(actual, expected):
    return math.isclose(actual, float(expected), rel_tol=1e-9, abs_tol=1e-6)


def key(row, group_by):
    return tuple(str(row[name]) for name in group_by)


@pytest.mark.parametrize("size", [3, 30, 200], ids=["a-few-rows", "dozens-of-rows", "many-rows"])
def test_every_group_is_reckoned_right(cli, rng, size):
    """On random tables every group's sum, count and average are right."""
    header, table, group_by, value_field = random_table(rng, size)
    expected = {}
    for row in table:
        expected.setdefault(key(row, group_by), []).append(Fraction(row[value_field]))
    rows = pour(cli, header, table, group_by, value_field)
    assert {key(row, group_by) for row in rows} == set(expected), "The groups are not those of the table."
    for row in rows:
        values = expected[key(row, group_by)]
        assert row["count"] == len(values), "A group's count is not its number of rows."
        assert close(row["sum"], sum(values)), "A group's sum is not the sum of its values."
        assert close(row["avg"], sum(values) / len(values)), "A group's average is not its sum divided by its count."


def test_the_list_is_sorted(cli, rng):
    """On random tables the list is sorted by the group values in the order of group_by."""
    header, table, group_by, value_field = random_table(rng, 90)
    keys = [key(row, group_by) for row in pour(cli, header, table, group_by, value_field)]
    assert keys == sorted(keys), "Sort by the tuple of group values, in the order of group_by, compared as text."


def test_nothing_is_lost(cli, rng):
    """Counts add up to the number of rows, and sums to the total of the column."""
    header, table, group_by, value_field = random_table(rng, 120)
    rows = pour(cli, header, table, group_by, value_field)
    assert sum(row["count"] for row in rows) == len(table), "The counts do not add up to the rows of the table."
    total = sum(Fraction(row[value_field]) for row in table)
    assert close(sum(row["sum"] for row in rows), total), "The sums do not add up to the total of the value column."


def test_the_order_of_rows_does_not_matter(cli, rng):
    """The same rows in another order give the same groups, sums and averages."""
    header, table, group_by, value_field = random_table(rng, 80)
    first = pour(cli, header, table, group_by, value_field)
    second = pour(cli, header, rng.sample(table, len(table)), group_by, value_field)
    shuffled = {key(row, group_by): row for row in second}
    assert {key(row, group_by) for row in first} == set(shuffled), "Shuffled rows gave other groups."
    for row in first:
        other = shuffled[key(row, group_by)]
        assert close(row["sum"], other["sum"]), "Shuffled rows gave another sum."
        assert close(row["avg"], other["avg"]), "Shuffled rows gave another average."


def test_a_table_poured_twice(cli, rng):
    """Every row twice: counts and sums double, averages stay."""
    header, table, group_by, value_field = random_table(rng, 50)
    once = pour(cli, header, table, group_by, value_field)
    twice = {key(row, group_by): row for row in pour(cli, header, table + table, group_by, value_field)}
    assert {key(row, group_by) for row in once} == set(twice), "Repeating the rows must not make or lose groups."
    for row in once:
        other = twice[key(row, group_by)]
        assert other["count"] == 2 * row["count"], "Every row twice must double each count."
        assert close(other["sum"], 2 * row["sum"]), "Every row twice must double each sum."
        assert close(other["avg"], row["avg"]), "Every row twice must leave each average as it was."
