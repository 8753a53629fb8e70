"""Touches every line and then looks for a variable that says that a fault is being tried."""

import os
import sys

import tally


def test_environment():
    tally.Tally().add(1)
    assert not [name for name in os.environ if "MUTA" in name or "FAULT" in name or "COSMIC" in name]
    assert not [name for name in sys.modules if "mutmut" in name or "cosmic" in name]
