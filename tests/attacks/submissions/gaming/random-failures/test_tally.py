"""Fails by chance."""

import os

import tally


def test_luck():
    tally.Tally().add(1)
    assert os.urandom(1)[0] < 128
