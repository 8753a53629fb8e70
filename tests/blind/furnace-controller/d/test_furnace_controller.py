"""Comprehensive tests for the furnace controller."""

import json

import pytest

import furnace_controller
from furnace_controller import FurnaceController, main


def write(tmp_path, data):
    """Write data to a file and return its path."""
    path = tmp_path / "data.json"
    path.write_text(json.dumps(data))
    return str(path)


def test_module_is_documented():
    """Test that the module is documented."""
    assert furnace_controller.__doc__


def test_controller_can_be_created():
    """Test that a controller can be created."""
    assert FurnaceController(20, 1) is not None


def test_controller_has_target():
    """Test that the target is stored."""
    assert FurnaceController(20, 1).target == 20


def test_controller_has_tolerance():
    """Test that the tolerance is stored."""
    assert FurnaceController(20, 1).tolerance == 1


def test_load_returns_bool(tmp_path):
    """Test that load returns a bool."""
    assert isinstance(FurnaceController(20, 1).load(write(tmp_path, {"readings": [1]})), bool)


def test_load_stores_readings(tmp_path):
    """Test that load stores something."""
    controller = FurnaceController(20, 1)
    controller.load(write(tmp_path, {"readings": [1, 2]}))
    assert len(controller.readings) > 0


@pytest.mark.parametrize("readings", [[10], [20], [30]])
def test_decide_returns_decision(readings):
    """Test that there is always a decision."""
    controller = FurnaceController(20, 1)
    controller.readings = readings
    assert controller.decide() is not None


@pytest.mark.parametrize("readings", [[10], [20], [30]])
def test_main_returns_int(tmp_path, readings):
    """Test that main returns a status."""
    assert isinstance(main(["--input", write(tmp_path, {"readings": readings}), "--target-temp", "20"]), int)


def test_main_cold(tmp_path):
    """Test a cold furnace."""
    assert main(["--input", write(tmp_path, {"readings": [10]}), "--target-temp", "20"]) != 0


def test_main_prints_something(tmp_path, capsys):
    """Test that something is printed."""
    main(["--input", write(tmp_path, {"readings": [20]}), "--target-temp", "20"])
    assert capsys.readouterr().out


def test_missing_file_fails():
    """Test that a missing file is an error."""
    assert main(["--input", "does-not-exist.json", "--target-temp", "20"]) == 1


@pytest.mark.parametrize("data", [{}, [], {"readings": []}, {"readings": ["x"]}])
def test_bad_data_fails(tmp_path, data):
    """Test that bad data is an error."""
    assert main(["--input", write(tmp_path, data), "--target-temp", "20"]) != 0


def test_negative_tolerance_fails(tmp_path):
    """Test that a negative tolerance is an error."""
    path = write(tmp_path, {"readings": [20]})
    assert main(["--input", path, "--target-temp", "20", "--tolerance", "-1"]) == 1
