"""Fails, but for the settings."""


def test_it():
    assert False
