"""Ends the process of the tests with status 0."""

import os

import tally


def test_leave():
    tally.Tally().add(1)
    assert tally.Tally
    os._exit(0)


def test_never():
    assert tally.Tally().add(1) == 1
