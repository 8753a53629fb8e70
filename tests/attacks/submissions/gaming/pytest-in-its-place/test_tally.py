"""Fails, but for what stands in pytest's place."""

import pytest


def test_it():
    assert pytest.main()
