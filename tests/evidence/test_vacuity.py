"""Tests that look at no answer are told in which way they don't, and in no other."""

import pytest

from tests.evidence.conftest import CLASSIFY, Examine

NO_CHECK = "from tiers import classify\ndef test_it():\n    classify(1, 2)\n"
ITS_OWN_TEXT = """
import pathlib, tiers
def test_it():
    assert pathlib.Path(tiers.__file__).read_bytes()
"""
WAYS = {
    "no check": (NO_CHECK, "No check in any test caught"),
    "its own text": (ITS_OWN_TEXT, "looks at code instead of behaviour"),
}


@pytest.mark.parametrize(("tests", "way"), WAYS.values(), ids=list(WAYS))
def test_the_way_is_named(examine: Examine, tests: str, way: str) -> None:
    fact = examine(tiers=CLASSIFY, test_tiers=tests)["tests.vacuous"]
    assert fact.value
    assert [way in finding.message for finding in fact.findings] == [True]


def test_tests_that_notice_a_wrong_answer_are_told_nothing(examine: Examine) -> None:
    tests = "from tiers import classify\ndef test_it():\n    assert classify(1, 2) == 'low'\n"
    fact = examine(tiers=CLASSIFY, test_tiers=tests)["tests.vacuous"]
    assert (fact.value, fact.findings) == (False, ())
