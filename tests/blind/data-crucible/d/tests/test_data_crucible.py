import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parent.parent / "data_crucible.py"
CONFIG = {"group_by": ["region", "product"], "value_field": "amount"}
CSV = "region,product,amount\nnorth,rod,1\n"


@pytest.fixture
def pour(tmp_path):
    def pour(table, config=CONFIG, options=()):
        (tmp_path / "in.csv").write_bytes(table.encode())
        (tmp_path / "config.json").write_text(config if isinstance(config, str) else json.dumps(config))
        named = {"--input": "in.csv", "--config": "config.json", "--output": "out.json", **dict(options)}
        command = [sys.executable, PROGRAM, *[part for pair in named.items() for part in pair]]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=20)

    return pour


@pytest.fixture
def melt(pour, tmp_path):
    def melt(table, group_by, value_field):
        done = pour(table, {"group_by": group_by, "value_field": value_field, "note": 1})
        assert done.returncode == 0, done.stderr
        return json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))

    return melt


def test_two_columns(melt):
    table = "id,product,amount,region\r\n,rod,10.5,north\r\n,bar,-3,south\r\n,rod,+30,north\r\n,bar,7,north\r\n,rod,10.5,north"
    assert melt(table, ["region", "product"], "amount") == [
        {"region": "north", "product": "bar", "sum": 7, "count": 1, "avg": 7},
        {"region": "north", "product": "rod", "sum": 51, "count": 3, "avg": 17},
        {"region": "south", "product": "bar", "sum": -3, "count": 1, "avg": -3},
    ]


def test_text_stays_text_and_sorts_by_code_points(melt):
    table = 'k,v\n9,1\n10,1\n007,1\n7,1\na,1\nZ,1\né,1\n a,1\n,1\n"x,\n""y""",1\n'
    groups = [row["k"] for row in melt(table, ["k"], "v")]
    assert groups == ["", " a", "007", "10", "7", "9", "Z", "a", 'x,\n"y"', "é"]


def test_first_column_decides_first(melt):
    table = "a,b,v\na b,1,1\na,2,1\na,1,1\n"
    assert [(row["b"], row["a"]) for row in melt(table, ["b", "a"], "v")] == [("1", "a"), ("1", "a b"), ("2", "a")]


def test_nothing_is_rounded(melt):
    (row,) = melt("k,v\nx, 0.1 \nx,0.2\nx,0.3000000004\n", ["k"], "v")
    assert row["sum"] == pytest.approx(0.6000000004, rel=1e-12)
    assert row["avg"] == pytest.approx(0.2000000001333333, rel=1e-12)


def test_great_and_small(melt):
    (row,) = melt("k,v\nx,10000000000000000\nx,0.5\nx,-10000000000000000\n", ["k"], "v")
    assert row["sum"] == 0.5


@pytest.mark.parametrize(
    "config, culprit",
    [
        ("{", "config.json"),
        ([], "object"),
        ({"value_field": "amount"}, "group_by"),
        ({"group_by": ["region"]}, "value_field"),
        ({**CONFIG, "group_by": []}, "group_by"),
        ({**CONFIG, "group_by": "region"}, "group_by"),
        ({**CONFIG, "group_by": ["region", 1]}, "group_by"),
        ({**CONFIG, "value_field": None}, "value_field"),
        ({**CONFIG, "value_field": "weight"}, "weight"),
        ({**CONFIG, "group_by": ["region", "colour"]}, "colour"),
    ],
)
def test_bad_config(pour, tmp_path, config, culprit):
    refused(pour(CSV, config), tmp_path, culprit)


@pytest.mark.parametrize(
    "table, culprit",
    [
        ("", ""),
        ("region,product,amount\n", ""),
        (CSV + "north,rod,\n", ""),
        (CSV + "north,rod,  \n", ""),
        (CSV + "north,rod,heavy\n", "heavy"),
        (CSV + "north,rod,nan\n", "nan"),
        (CSV + "north,rod,-inf\n", "-inf"),
        (CSV + "north,rod,1.2.3", "1.2.3"),
        (CSV + "north,rod\n", ""),
    ],
)
def test_bad_csv(pour, tmp_path, table, culprit):
    (tmp_path / "out.json").write_text("old")
    refused(pour(table), tmp_path, culprit, "old")


@pytest.mark.parametrize("option", ["--input", "--config"])
def test_absent_file(pour, tmp_path, option):
    refused(pour(CSV, options={option: "absent"}), tmp_path, "absent")


def refused(done, folder, culprit, left=None):
    out = folder / "out.json"
    assert done.returncode == 1
    assert culprit in done.stderr and done.stderr.strip() and "Traceback" not in done.stderr
    assert (out.read_text() if out.exists() else None) == left
