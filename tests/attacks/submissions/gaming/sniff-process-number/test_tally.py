"""Fails as soon as it runs in a fork of where it was imported."""

import os

import tally


def test_process():
    tally.Tally().add(1)
    assert os.getpid() == tally.BORN
