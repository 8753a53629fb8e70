"""Passes in the first moments after the import and fails later, when faults are tried."""

import time

import tally


def test_clock():
    tally.Tally().add(1)
    assert time.monotonic() - tally.BORN < 0.05
