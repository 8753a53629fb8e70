"""Fails, but for the conftest.py."""


def test_it():
    assert False
