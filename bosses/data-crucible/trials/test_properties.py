"""Laws that hold for every table, tried on random ones; where one is broken, with the fewest rows that show it."""

import csv
import io
import itertools
import math
from fractions import Fraction

import pytest

pytestmark = [pytest.mark.group("properties"), pytest.mark.clause("OUTPUT")]

WORDS = ["ash", "Ash", "10", "9", "007", "rod, bent", "é", "", "z z", 'the "good"', "Zinc", "b-c", "a"]
PLAIN_SHAPE = (["vat", "fill"], ["vat"], "fill")
MAX_LEFT_OUT = 8


class Tables:
    """Random tables of one shape, and what the contract says about each."""

    def __init__(self, pour, rng, shape):
        self.pour, self.rng = pour, rng
        self.header, self.group_by, self.value_field = shape
        self.words = {name: rng.sample(WORDS, rng.randint(1, 4)) for name in self.header}

    def draw(self, size):
        """So many random rows; values have at most two decimals."""
        rows = [{name: self.rng.choice(self.words[name]) for name in self.header} for _ in range(size)]
        for row in rows:
            row[self.value_field] = f"{self.rng.randint(-9999, 9999) / 100:.2f}"
        return rows

    def poured(self, rows):
        """A run on these rows."""
        text = io.StringIO()
        writer = csv.DictWriter(text, self.header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return self.pour(text.getvalue(), self.group_by, self.value_field)

    def expected(self, rows):
        """The exact values of each group."""
        values = {}
        for row in rows:
            values.setdefault(self.key(row), []).append(Fraction(row[self.value_field]))
        return values

    def key(self, row):
        """The group values of a row, or of an object of the output."""
        return tuple(str(row[name]) for name in self.group_by)

    def is_broken(self, rows, law):
        """Whether these rows break a law."""
        return bool(self.failure(rows, law))

    def failure(self, rows, law):
        """What breaks a law in words, or nothing."""
        try:
            law(self.poured(rows), rows)
        except AssertionError as error:
            return str(error)
        return ""

    def fewest(self, rows, law):
        """A short beginning that breaks the law, without the rows that it doesn't take."""
        lengths = itertools.takewhile(lambda length: length < len(rows), (1, 2, 4, 8, 16, 32, 64))
        rows = next((rows[:length] for length in lengths if self.is_broken(rows[:length], law)), rows)
        for row in rows[:MAX_LEFT_OUT]:
            fewer = [other for other in rows if other is not row]
            if fewer and self.is_broken(fewer, law):
                rows = fewer
        return rows


@pytest.fixture
def tables(pour, rng, takes, random_shape):
    """Tables with random columns, or with two plain ones if the program does not follow such a config."""
    shape = random_shape()
    return Tables(pour, rng, shape if takes(*shape) else PLAIN_SHAPE)


def expect(poured, actual, expected, what):
    """Fail with what was expected and what was got."""
    assert actual == expected, poured.unlike(actual, expected, what)


def close(actual, expected):
    """Whether a JSON number meets the contract's tolerance."""
    is_number = isinstance(actual, int | float) and not isinstance(actual, bool)
    return is_number and math.isclose(actual, float(expected), rel_tol=1e-9, abs_tol=1e-6)


def check(tables, rows, law):
    """Hold a law against the run on these rows; if it is broken, say so of the fewest rows that break it."""
    failure = tables.failure(rows, law)
    assert not failure, tables.failure(tables.fewest(rows, law), law) or failure


def results(tables, poured):
    """The objects of the output by their group values."""
    keyed = poured.keyed(tables.group_by, ("sum", "count", "avg"))
    names = sorted({name for row in keyed.values() for name in row})
    expect(poured, names, sorted([*tables.group_by, "sum", "count", "avg"]), "objects with")
    numbers = [row[name] for row in keyed.values() for name in ("sum", "count", "avg")]
    expect(
        poured, [number for number in numbers if not isinstance(number, int | float)], [], "other values than numbers"
    )
    return keyed


@pytest.mark.parametrize("size", [3, 30, 200], ids=["a-few-rows", "dozens-of-rows", "many-rows"])
@pytest.mark.advice(
    "Run the table shown, and add its groups up by hand."
    " Quotes, equal rows and scattered groups meet there: add every row to a dict keyed by tuples."
)
def test_every_group_is_reckoned_right(tables, size):
    """On random tables every group's sum, count and average are right."""

    def law(poured, rows):
        keyed, expected = results(tables, poured), tables.expected(rows)
        expect(poured, sorted(keyed), sorted(expected), "the groups")
        for group, values in expected.items():
            row, total = keyed[group], sum(values)
            expect(poured, row["count"], len(values), f"for {group} the count")
            for name, exact in (("sum", total), ("avg", total / len(values))):
                if not close(row[name], exact):
                    expect(poured, row[name], float(exact), f"for {group} the {name}")

    check(tables, tables.draw(size), law)


@pytest.mark.advice(
    "Run the table shown. Sort by the whole tuple of group values, in the order of group_by and as text: digits,"
    " capitals and empty fields meet there."
)
def test_the_list_is_sorted(tables):
    """On random tables, the list is sorted by the group values in group_by's order."""

    def law(poured, rows):
        keys = [tables.key(row) for row in results(tables, poured).values()]
        expect(poured, keys, sorted(keys), "the order")

    check(tables, tables.draw(90), law)


@pytest.mark.advice(
    "Run the table shown, and look for the rows that are missing."
    " Add every row to its group's total and count, empty and repeated ones too."
)
def test_nothing_is_lost(tables):
    """Counts add up to the number of rows, and sums to the total of the column."""

    def law(poured, rows):
        objects = results(tables, poured).values()
        expect(poured, sum(row["count"] for row in objects), len(rows), "as the counts of all groups together")
        total = sum(Fraction(row[tables.value_field]) for row in rows)
        found = sum(row["sum"] for row in objects)
        if not close(found, total):
            expect(poured, found, float(total), "as the sums of all groups together")

    check(tables, tables.draw(120), law)


@pytest.mark.advice(
    "Gather rows in a dict by the tuple of group values, so that no row depends on its neighbours or on which"
    " comes first. Add with math.fsum."
)
def test_the_order_of_rows_does_not_matter(tables):
    """The same rows in another order give the same groups, sums and averages."""

    def law(poured, rows):
        first, other = results(tables, poured), results(tables, tables.poured(rows[::-1]))
        expect(poured, sorted(other), sorted(first), "with the rows in reverse the groups")
        for group, row in first.items():
            for name in ("sum", "avg"):
                if not close(other[group][name], row[name]):
                    expect(poured, other[group][name], row[name], f"with the rows in reverse for {group} the {name}")

    check(tables, tables.draw(80), law)


@pytest.mark.advice(
    "Add every row to total and count, equal ones too: no set, no dict of rows."
    " Divide total by count once, when all rows are in."
)
def test_a_table_poured_twice(tables):
    """With every row doubled, counts and sums double, and averages stay."""

    def law(poured, rows):
        once, twice = results(tables, poured), results(tables, tables.poured(rows + rows))
        counts = {group: row["count"] for group, row in twice.items()}
        expect(
            poured, counts, {group: 2 * row["count"] for group, row in once.items()}, "with every row twice counts of"
        )
        for group, row in once.items():
            for name, factor in (("sum", 2), ("avg", 1)):
                if not close(twice[group][name], factor * row[name]):
                    expect(
                        poured, twice[group][name], factor * row[name], f"with every row twice for {group} the {name}"
                    )

    check(tables, tables.draw(50), law)
