"""Unit tests for the DataCrucible class."""

import json
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from data_crucible import DataCrucible, main


@pytest.fixture
def paths(tmp_path):
    """Create a small CSV file and a config."""
    csv_path = tmp_path / "data.csv"
    csv_path.write_text("region,amount\nnorth,1\n north ,2\nsouth,3\n")
    config_path = tmp_path / "config.json"
    config_path.write_text(json.dumps({"group_by": ["region"], "value_field": "amount"}))
    return str(csv_path), str(config_path), str(tmp_path / "out.json")


@pytest.fixture
def crucible(paths):
    """Create a crucible."""
    return DataCrucible(*paths)


def test_creation(crucible):
    """Test that a crucible can be created."""
    assert crucible is not None


def test_load_config(crucible):
    """Test that the config is loaded."""
    assert crucible.load_config()


def test_load_config_type(crucible):
    """Test that the config is a dictionary."""
    assert isinstance(crucible.load_config(), dict)


def test_group_columns(crucible):
    """Test that the group columns are a list."""
    crucible.load_config()
    assert isinstance(crucible.get_group_columns(), list)


def test_value_field(crucible):
    """Test that the value field is found."""
    crucible.load_config()
    assert crucible.get_value_field()


def test_parse_value(crucible):
    """Test that a value can be parsed."""
    assert crucible.parse_value("1.5") == 1.5


def test_parse_value_error(crucible):
    """Test that an invalid value raises an error."""
    with pytest.raises(Exception):
        crucible.parse_value("abc")


def test_process_rows(crucible):
    """Test that rows are processed; spaces around the names do not make new groups."""
    crucible.load_config()
    crucible.process_rows()
    assert len(crucible.groups) == 2


def test_build_result(crucible):
    """Test that the result is not empty."""
    crucible.load_config()
    crucible.process_rows()
    assert len(crucible.build_result()) > 0


def test_run(crucible):
    """Test that the run succeeds."""
    assert crucible.run() == 0


def test_output_exists(crucible, paths):
    """Test that the output file exists after the run."""
    crucible.run()
    assert os.path.exists(paths[2])


def test_main(paths):
    """Test the main function."""
    assert main(["--input", paths[0], "--config", paths[1], "--output", paths[2]]) == 0


def test_main_missing_file(paths, capsys):
    """Test the main function with a missing file."""
    assert main(["--input", "missing.csv", "--config", paths[1], "--output", paths[2]]) != 0
