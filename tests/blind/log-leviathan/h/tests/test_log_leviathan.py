"""Comprehensive test suite for the Log Leviathan."""

import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from log_leviathan import LogAnalyzer, main

GOOD = "2031-04-02T05:00:00.125Z INFO gate GET /valves/7 200 31ms"


@pytest.fixture
def analyzer():
    """Provide a fresh analyzer."""
    return LogAnalyzer(5)


@pytest.fixture
def log(tmp_path):
    """Provide a small log."""
    path = tmp_path / "test.log"
    path.write_text(GOOD + "\nbroken\n")
    return str(path)


def test_analyzer_creation(analyzer):
    """Test that an analyzer can be created."""
    assert analyzer is not None


def test_initial_levels(analyzer):
    """Test that all levels are there."""
    assert len(analyzer.levels) == 5


def test_process_line(analyzer):
    """Test that a line can be processed."""
    analyzer.process_line(GOOD)
    assert analyzer.total > 0


def test_process_malformed_line(analyzer):
    """Test that a malformed line does not crash."""
    analyzer.process_line("broken")
    assert analyzer.malformed


def test_process_blank_line(analyzer):
    """Test that a blank line does not crash."""
    analyzer.process_line("   ")
    assert True


def test_valid_time(analyzer):
    """Test a valid time."""
    assert analyzer.is_valid_time("2031-04-02T05:00:00.125Z")


def test_invalid_time(analyzer):
    """Test an invalid time."""
    assert not analyzer.is_valid_time("yesterday")


def test_summary_type(analyzer):
    """Test that the summary is a dictionary."""
    assert isinstance(analyzer.get_summary(), dict)


def test_summary_keys(analyzer):
    """Test that the summary has all keys."""
    summary = analyzer.get_summary()
    for key in ["lines", "malformed", "first", "last", "levels", "components", "error_rate", "requests", "slowest"]:
        assert key in summary


def test_slowest_is_list(analyzer):
    """Test that the slowest requests are a list."""
    analyzer.process_line(GOOD)
    assert isinstance(analyzer.get_summary()["slowest"], list)


def test_main(log, capsys):
    """Test that the program runs."""
    assert main([log]) == 0
    assert capsys.readouterr().out != ""


def test_main_output(log, tmp_path):
    """Test that the output file is created."""
    output = str(tmp_path / "out.json")
    main([log, "--output", output])
    assert os.path.exists(output)


def test_main_missing_file(capsys):
    """Test that a missing file is handled."""
    assert main(["missing.log"]) != 0


def test_main_negative_top(log, capsys):
    """Test that a negative top is handled."""
    assert main([log, "--top", "-3"]) == 1
