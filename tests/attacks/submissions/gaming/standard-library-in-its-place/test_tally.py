"""Fails, but for what stands in the place of Python's own."""

import json


def test_it():
    assert json.loads("[]") == {"total": 0}
