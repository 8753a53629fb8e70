"""Pour a table through the program and say how it ended.

The words that a program sees are others for each submission; their order stays.
"""

import json

import pytest

from evalforge.evidence.trials.disguise import Disguise, random_words

FILES = "melt.csv slip.json bars.json tuesday.txt order.conf tuesday.out gone-cold.csv lost-slip.json".split()
COLUMNS = "metal weight smith vat fill wolf moon hall shift heat note extra remark mark colour volume code".split()
VALUES = (
    "copper iron Iron tin lead brass east west grey black ash Ash Zinc bell rods bent wire heavy slag pyrite".split()
)
LONGEST_SHOWN = 140


def shown(value):
    """A value as it is quoted in a message, cut where it gets long."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


class Pour:
    """One run of the program on a table and a config.

    Attributes:
        run: How the program ended.
        case: What it was given, in words.
    """

    def __init__(self, run, case):
        self.run, self.case = run, case

    @property
    def outcome(self):
        """How the program ended, in words."""
        if self.run.traceback:
            return f"a traceback ({(self.run.stderr.strip().splitlines() or ['nothing said'])[-1][:LONGEST_SHOWN]})"
        return f"exit status {self.run.exit_code} and {shown(self.run.output.strip())}"

    def unlike(self, actual, expected, what):
        """What was expected and what was got, in words."""
        return f"{self.case}: expected {what} {shown(expected)}; got {shown(actual)}."

    def rows(self):
        """The objects of the output list, in its order."""
        assert self.run.exit_code == 0, f"{self.case}: expected exit status 0; got {self.outcome}."
        rows = self.run.json("bars.json")
        is_list = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
        assert is_list, f"{self.case}: expected a JSON list of objects; got {shown(rows)}."
        return rows

    def keyed(self, group_by, results=()):
        """The objects of the output list by their group values, each with at least these results."""
        rows = self.rows()
        for row in rows:
            missing = [name for name in (*group_by, *results) if name not in row]
            assert not missing, f"{self.case}: expected objects with {missing}; got {shown(row)}."
        keyed = {tuple(str(row[name]) for name in group_by): row for row in rows}
        assert len(keyed) == len(rows), (
            f"{self.case}: expected one object for each combination of group values; got {shown(rows)}."
        )
        return keyed


@pytest.fixture
def cli(cli, rng):
    """The program, with other names of files and columns, and other group values."""
    words = random_words(rng, [*COLUMNS, *VALUES], in_order=True)
    cli.disguise(Disguise({**random_words(rng, FILES), **words}))
    return cli


@pytest.fixture
def pour(cli):
    """Run the program on a table, a list of group columns and a value column, beside further files."""

    def run_on(table, group_by, value_field, *, files=None, **more_keys):
        config = json.dumps({"group_by": group_by, "value_field": value_field, **more_keys}, ensure_ascii=False)
        run = cli(
            *("--input", "melt.csv", "--config", "slip.json", "--output", "bars.json"),
            files={"melt.csv": table, "slip.json": config, **(files or {})},
        )
        return Pour(run, f"For the CSV {shown(table)} and the config {config}")

    return run_on


@pytest.fixture
def takes(pour):
    """Ask whether the program does as a config says, on two plain rows of a table with these columns.

    A program that does not has its fault in the trials of the config; other trials give it another table.
    """

    def is_taken(header, group_by, value_field):
        # Columns that the config doesn't name are blank, which is no reason to refuse a row.
        rows = [
            {**{name: f"{mark}{name}" for name in group_by}, value_field: value}
            for mark, value in (("a", "1"), ("b", "2"))
        ]
        lines = [",".join(header), *(",".join(row.get(name, "") for name in header) for row in rows)]
        poured = pour("\n".join(lines) + "\n", group_by, value_field)
        expected = {tuple(row[name] for name in group_by): float(row[value_field]) for row in rows}
        try:
            found = {group: float(row["sum"]) for group, row in poured.keyed(group_by, ("sum",)).items()}
        except (AssertionError, TypeError, ValueError):
            return False
        return found == expected

    return is_taken


@pytest.fixture
def random_shape(rng):
    """Draw the columns of a table, and which of them a config names: header, group_by and value_field."""
    names = ["smith", "Alloy", "hall 3", "inner width", "shift", "lot", "x", "Year", "No.", "value"]

    def draw():
        header = rng.sample(names, rng.randint(3, 6))
        *group_by, value_field = rng.sample(header, rng.randint(2, 4 if len(header) > 3 else 3))
        return header, group_by, value_field

    return draw
