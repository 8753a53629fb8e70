"""Looks at the command line, the name of the process and its parent."""

import os
import sys

import tally


def test_arguments():
    tally.Tally().add(1)
    assert "mut" not in " ".join(map(str, sys.argv)).lower()
    assert os.getppid() >= 0
