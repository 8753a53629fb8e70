"""What the contract promises, tried on the command itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REGION = {"group_by": ["region"], "value_field": "amount"}


def call(*arguments):
    """Run the program, wherever this project keeps it: a module or a package of that name."""
    command = [sys.executable, "-m", "data_crucible", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=20)


@pytest.fixture
def pour(tmp_path):
    """Run on these contents; None leaves a file out. Gives back the run and the path of the output."""

    def run(table, config=REGION, before=None):
        output = tmp_path / "out.json"
        for name, content in (("in.csv", table), ("config.json", config), ("out.json", before)):
            if isinstance(content, (dict, list)):
                content = json.dumps(content)
            if content is not None:
                (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        done = call("--input", tmp_path / "in.csv", "--config", tmp_path / "config.json", "--output", output)
        return done, output

    return run


@pytest.fixture
def bars(pour):
    """The output list for good input."""

    def run(table, group_by=("region",), value_field="amount", **more):
        done, output = pour(table, {"group_by": list(group_by), "value_field": value_field, **more}, "[1, 2, 3" * 99)
        assert done.returncode == 0, done.stderr
        return json.loads(output.read_bytes().decode("utf-8"))

    return run


@pytest.fixture
def refused(pour):
    """What is said on standard error about bad input that leaves no output."""

    def run(table, config=REGION):
        done, output = pour(table, config)
        assert done.returncode == 1
        assert not output.exists()
        said = done.stderr.decode()
        assert said.strip()
        assert "Traceback" not in said
        return said

    return run


def test_sum_count_and_average(bars):
    assert bars("region,amount\nnorth,4\nnorth,5\nsouth,7\nnorth,4\nsouth,-0.5\n") == [
        {"region": "north", "sum": 13, "count": 3, "avg": pytest.approx(13 / 3, rel=1e-9)},
        {"region": "south", "sum": 6.5, "count": 2, "avg": 3.25},
    ]


@pytest.mark.parametrize(
    ("values", "total"),
    [
        (["0.1", "0.2"], 0.3),
        (["-4", "1.5"], -2.5),
        (["+7", " 2 ", "  -1"], 8),
        (["5", "-5"], 0),
        (["0"], 0),
        (["0.00125"], 0.00125),
        (["1.111", "2.2222"], 3.3332),
        (["0.1"] * 1000, 100),
    ],
)
def test_values(bars, values, total):
    table = "region,amount\n" + "".join(f"north,{value}\n" for value in values)
    expected = {"region": "north", "sum": pytest.approx(total), "count": len(values)}
    assert bars(table) == [{**expected, "avg": pytest.approx(total / len(values), rel=1e-9)}]


def test_columns_are_found_by_name_and_others_ignored(bars):
    table = "Net (kg),note,Lot #\n3,,A\n5,n/a,B\n4,,A\n"
    found = bars(table, ["Lot #"], "Net (kg)", comment="night shift")
    assert found == [{"Lot #": "A", "sum": 7, "count": 2, "avg": 3.5}, {"Lot #": "B", "sum": 5, "count": 1, "avg": 5}]


def groups(found, *columns):
    return [tuple(row[name] for name in columns) for row in found]


def test_sorted_as_text_by_the_columns_in_the_order_of_group_by(bars):
    table = "a,b,n\n9,x,1\n10,y,1\nZ,x,1\na,x,1\n9,a,1\n10,x,1\n"
    assert groups(bars(table, "ab", "n"), "a", "b") == [
        ("10", "x"),
        ("10", "y"),
        ("9", "a"),
        ("9", "x"),
        ("Z", "x"),
        ("a", "x"),
    ]
    assert groups(bars(table, "ba", "n"), "b", "a")[:2] == [("a", "9"), ("x", "10")]


def test_any_number_of_group_columns(bars):
    found = bars("a,b,c,n\nx-y,z,w,1\nx,y-z,w,2\nx-y,z,w,4\n", "abc", "n")
    assert found == [
        {"a": "x", "b": "y-z", "c": "w", "sum": 2, "count": 1, "avg": 2},
        {"a": "x-y", "b": "z", "c": "w", "sum": 5, "count": 2, "avg": 2.5},
    ]


def test_group_values_are_text_and_kept_as_they_are(bars):
    values = ["", " rod", "007", "7", "7.0", "Rod", "Łódź", "rod", "rod "]
    table = "region,amount\n" + "".join(f"{value},1\n" for value in values)
    assert groups(bars(table), "region") == [(value,) for value in sorted(values)]


def test_quoted_fields(bars):
    table = 'region,amount\r\n"a, ""b""",1\r\n"up\r\ndown",2\r\n"up\ndown",3\r\n"a, ""b""","4"\r\n'
    assert groups(bars(table), "region", "sum") == [('a, "b"', 5), ("up\ndown", 3), ("up\r\ndown", 2)]


def test_options_in_any_order_and_any_file_names(tmp_path):
    (tmp_path / "tuesday").write_text("region,amount\nnorth,4\n")
    (tmp_path / "order.conf").write_text(json.dumps(REGION))
    done = call("--output", tmp_path / "x.y", "--input", tmp_path / "tuesday", "--config", tmp_path / "order.conf")
    assert done.returncode == 0
    assert json.loads((tmp_path / "x.y").read_text()) == [{"region": "north", "sum": 4, "count": 1, "avg": 4}]


GOOD = "region,amount\nnorth,1\n"


@pytest.mark.parametrize(
    ("config", "culprit"),
    [
        ('{"group_by": ["region"], ', ""),
        ("", ""),
        ([["region"], "amount"], ""),
        ("null", ""),
        ({"value_field": "amount"}, "group_by"),
        ({"group_by": ["region"]}, "value_field"),
        ({"group_by": [], "value_field": "amount"}, ""),
        ({"group_by": "region", "value_field": "amount"}, ""),
        ({"group_by": {"region": 1}, "value_field": "amount"}, ""),
        ({"group_by": ["region", 1], "value_field": "amount"}, ""),
        ({"group_by": ["region"], "value_field": None}, ""),
        ({"group_by": ["region"], "value_field": ["amount"]}, ""),
        ({"group_by": ["region", "hall"], "value_field": "amount"}, "hall"),
        ({"group_by": ["region"], "value_field": "price"}, "price"),
    ],
)
def test_a_bad_config_is_refused(refused, config, culprit):
    assert culprit in refused(GOOD, config)


def test_letters_and_numbers_are_no_column_names(refused):
    refused("a,b,n\nx,y,1\n", {"group_by": "ab", "value_field": "n"})
    refused("a,1,n\nx,y,1\n", {"group_by": ["a", 1], "value_field": "n"})
    refused("a,b,1\nx,y,1\n", {"group_by": ["a"], "value_field": 1})


@pytest.mark.parametrize("table", ["", "region,amount\n", f"{GOOD}south\n", "region,amount,note\nnorth,1,x\nsouth,2\n"])
def test_a_table_without_whole_rows_is_refused(refused, table):
    refused(table)


@pytest.mark.parametrize("value", ["", "  ", "heavy", "12kg", "-", "nan", "inf", "-inf"])
def test_a_value_that_is_no_number_is_refused_in_any_row(refused, value):
    assert value.strip() in refused(f"{GOOD}south,{value}\nnorth,2\n")
    assert value.strip() in refused(f"{GOOD}north,2\nsouth,{value}\n")


@pytest.mark.parametrize(("table", "config", "culprit"), [(None, REGION, "in.csv"), (GOOD, None, "config.json")])
def test_a_missing_file_is_named(refused, table, config, culprit):
    assert culprit in refused(table, config)


@pytest.mark.parametrize(
    ("table", "config"), [(None, REGION), (GOOD, "{"), ("region,amount\n", REGION), (f"{GOOD}south,lead\n", REGION)]
)
def test_an_earlier_output_survives_bad_input(pour, table, config):
    done, output = pour(table, config, before="kept")
    assert done.returncode == 1
    assert output.read_bytes() == b"kept"
