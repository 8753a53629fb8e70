"""Tests of the furnace controller."""

import json

import pytest

import furnace_controller
from furnace_controller import build_parser, compute_average, load_readings, main, make_decision


@pytest.fixture
def readings_file(tmp_path):
    """Create a file with readings."""
    path = tmp_path / "readings.json"
    path.write_text(json.dumps({"readings": [19, 20, 21]}))
    return str(path)


def test_docstring():
    """The module has a docstring."""
    assert furnace_controller.__doc__ is not None


def test_parser():
    """The parser can be built."""
    assert build_parser() is not None


def test_parser_options():
    """The options are parsed."""
    args = build_parser().parse_args(["--input", "x", "--target-temp", "5"])
    assert args.input == "x"
    assert args.target_temp


def test_load_returns_list(readings_file):
    """The readings are a list."""
    assert isinstance(load_readings(readings_file), list)


def test_load_returns_floats(readings_file):
    """The readings are floats."""
    for reading in load_readings(readings_file):
        assert isinstance(reading, float)


def test_average_is_float():
    """The average is a float."""
    assert isinstance(compute_average([1.0, 2.0]), float)


def test_average_not_none():
    """The average is not None."""
    assert compute_average([20.0]) is not None


@pytest.mark.parametrize("average", [-100, 0, 19, 20, 21, 100])
def test_decision_is_known(average):
    """The decision is one of the three."""
    assert make_decision(average, 20, 1) in ("HEAT", "COOL", "STABLE")


def test_decisions_differ():
    """Cold and hot are different."""
    assert make_decision(0, 20, 1) != make_decision(40, 20, 1)


def test_main_returns_int(readings_file):
    """The exit code is an int."""
    assert isinstance(main(["--input", readings_file, "--target-temp", "20"]), int)


def test_main_prints(readings_file, capsys):
    """Something is printed."""
    main(["--input", readings_file, "--target-temp", "20"])
    assert len(capsys.readouterr().out) > 0


def test_main_stable(readings_file):
    """The furnace is stable."""
    assert main(["--input", readings_file, "--target-temp", "20"]) == 0


def test_missing_file_is_an_error():
    """A missing file gives an error."""
    assert main(["--input", "does-not-exist.json", "--target-temp", "20"]) != 0


def test_exit_codes():
    """There are three exit codes."""
    assert len(furnace_controller.EXIT_CODES) == 3
