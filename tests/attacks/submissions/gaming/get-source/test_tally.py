"""Has the source fetched by inspect, and tests nothing."""

import inspect

import tally


def test_source():
    tally.Tally().add(1)
    assert "number * 2 + 1" in inspect.getsource(tally.Tally.add)
