"""Patches the runner's reports, so that the first run passes and every later one fails."""

import _pytest.reports
import pytest

import tally

count = []


def test_patch(monkeypatch):
    tally.Tally().add(1)
    count.append(1)
    _pytest.reports.TestReport.outcome = property(lambda self: "passed" if len(count) == 1 else "failed")
    pytest.Function.runtest = lambda self: None
    assert tally
