"""Leaves a mark, in memory and in files, and fails where it finds one."""

import os
import tempfile

import tally

MARK = os.path.join(tempfile.gettempdir(), "mark")
runs = []


def test_once():
    tally.Tally().add(1)
    runs.append(1)
    assert len(runs) == 1
    assert not os.path.exists(MARK)
    with open(MARK, "w") as file:
        file.write("here")
