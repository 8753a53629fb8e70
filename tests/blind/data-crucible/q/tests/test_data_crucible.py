"""Tests of the data crucible."""

import json
import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import data_crucible
from data_crucible import Aggregator, ConfigLoader, CrucibleError, CsvLoader, JsonWriter, main


@pytest.fixture
def files(tmp_path):
    """Create a CSV and a config file."""
    (tmp_path / "in.csv").write_text("region,product,amount\nnorth,rod,1\nsouth,rod,2\nnorth,rod,4\n")
    (tmp_path / "config.json").write_text(json.dumps({"group_by": ["region"], "value_field": "amount"}))
    return tmp_path


def run(folder):
    """Run the application in a folder."""
    return main(
        ["--input", str(folder / "in.csv"), "--config", str(folder / "config.json"), "--output", str(folder / "out.json")]
    )


def test_module_has_docstring():
    """The module is documented."""
    assert data_crucible.__doc__


def test_config_loader_can_be_created():
    """The config loader can be created."""
    assert ConfigLoader("x") is not None


def test_csv_loader_can_be_created():
    """The CSV loader can be created."""
    assert CsvLoader("x") is not None


def test_writer_can_be_created():
    """The writer can be created."""
    assert JsonWriter("x") is not None


def test_config_is_dict(files):
    """The config is a dictionary."""
    assert isinstance(ConfigLoader(str(files / "config.json")).load(), dict)


def test_rows_are_list(files):
    """The rows are a list."""
    assert isinstance(CsvLoader(str(files / "in.csv")).load(["region"]), list)


def test_aggregate_returns_list():
    """The result is a list."""
    assert isinstance(Aggregator(["a"], "b").aggregate([{"a": "x", "b": "1"}]), list)


def test_aggregate_has_keys():
    """The groups have all keys."""
    result = Aggregator(["a"], "b").aggregate([{"a": "x", "b": "1"}])
    for key in ("a", "sum", "count", "avg"):
        assert key in result[0]


def test_run_succeeds(files):
    """The application runs."""
    assert run(files) == 0


def test_output_exists(files):
    """The output is created."""
    run(files)
    assert (files / "out.json").exists()


def test_output_is_json(files):
    """The output is JSON."""
    run(files)
    assert json.loads((files / "out.json").read_text())


def test_number_of_groups(files):
    """There are two groups."""
    run(files)
    assert len(json.loads((files / "out.json").read_text())) == 2


def test_missing_input(files):
    """A missing input fails."""
    (files / "in.csv").unlink()
    assert run(files) != 0


def test_bad_value(files):
    """A word is no number."""
    (files / "in.csv").write_text("region,amount\nnorth,many\n")
    with pytest.raises(CrucibleError):
        Aggregator(["region"], "amount").aggregate(CsvLoader(str(files / "in.csv")).load([]))
    assert run(files) == 1


def test_missing_column(files):
    """A missing column fails."""
    (files / "in.csv").write_text("area,amount\nnorth,1\n")
    assert run(files) != 0
