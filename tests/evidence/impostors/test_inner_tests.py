"""What a test needs of the player's program beyond the contract, read from its source."""

import pytest

from evalforge.evidence.suite import inner_tests
from evalforge.evidence.suite.inner_tests import contract_words, find_inner_names, top_level_names

PROGRAM = """
import json
from decimal import Decimal as Money
RATE: int = 3
class TillError(ValueError): pass
class Strange(TillError): pass
class Till:
    def __init__(self, limit=100, colour="red"): self._shelf = []
    def add(self, amount): return amount
try:
    import fast
except ImportError:
    fast = None
def helper(): return 1
"""
KNOWN = contract_words("`Till(limit=100)` has `add(amount)`; `TillError` says what is refused.")
INNER = find_inner_names([PROGRAM, "not python ("], ["till.core"], KNOWN)


def uses(body: str, beside: str = "") -> inner_tests.TestUses:
    """A test with this body, and what stands above it."""
    return inner_tests.TestUses({"test_till.py": f"{beside}\ndef test_it(it=None):\n    {body}\n"}, INNER, "till")


def test_names_at_the_top_are_found_whatever_binds_them():
    names = {"json", "Money", "RATE", "TillError", "Strange", "Till", "fast", "helper"}
    assert INNER.top_level == top_level_names([PROGRAM]) == names
    assert INNER.errors == {"TillError", "Strange"}


def test_names_of_the_contract_and_of_python_are_nobodys_own():
    assert {"helper", "colour", "_shelf", "Strange"} <= INNER.identifiers
    assert INNER.identifiers.isdisjoint({"Till", "add", "limit", "amount", "TillError", "self"})


@pytest.mark.parametrize(
    "body",
    ["till.helper()", "Till()._shelf", "Till(colour='blue')", "patch('till.core.RATE')", "it = RATE + 1"],
)
def test_a_test_uses_an_inner_name(body):
    assert uses(body).uses_inner_names("test_till.py::test_it")
    assert uses(body).uses_inner_names("test_till.py::test_it[1-2]")


@pytest.mark.parametrize(
    "body",
    [
        "Till(limit=3).add(1)",
        "pytest.raises(Strange, Till)",
        "with pytest.raises(Strange): Till()",
        "self.assertRaises(Strange, Till)",
        "print('a sentence about the helper')",
    ],
)
def test_the_contract_and_expected_errors_are_no_inner_names(body):
    assert not uses(body).uses_inner_names("test_till.py::test_it")


@pytest.mark.parametrize(
    "beside",
    ["def make(): return helper()", "class make: it = helper()", "make = helper", "from till import helper as make"],
)
def test_a_name_is_used_by_way_of_what_stands_beside(beside):
    assert uses("make", beside).uses_inner_names("test_till.py::test_it")


@pytest.mark.parametrize(
    ("body", "beside"),
    [
        ("json.dumps(Till().add(1))", "import json"),
        ("assert helper == 1", "@pytest.fixture\ndef helper(): return 1"),
        ("assert Clock().colour == 'red'", "class Clock:\n    def __init__(self): self.colour = 'red'"),
    ],
)
def test_names_of_the_tests_own_are_theirs(body, beside):
    assert not uses(body, beside).uses_inner_names("test_till.py::test_it")


def test_names_may_be_common_to_all_right_programs():
    taking = uses("helper()", "from till import helper")
    assert taking.takes_names_beside("test_till.py::test_it", frozenset())
    assert not taking.takes_names_beside("test_till.py::test_it", frozenset({"helper"}))
    assert uses("till.helper()", "import till").takes_names_beside("test_till.py::test_it", frozenset())


@pytest.mark.parametrize(
    ("message", "is_own"),
    [
        ("AttributeError: 'Till' object has no attribute '_shelf'", True),
        ("AttributeError: 'Till' object has no attribute 'limit'", True),
        ("AttributeError: 'Till' object has no attribute 'lmit'", False),
        ("AttributeError: 'NoneType' object has no attribute 'limit'", False),
    ],
)
def test_an_attribute_of_the_players_program_alone_is_its_own(message, is_own):
    assert uses("pass").misses_own_attribute(message) is is_own


def test_a_usual_name_is_used_by_way_of_helpers_too():
    source = {"a.py": "from till import main, Till\ndef run(): main()\ndef test_one(): run()\ndef test_two(): Till()\n"}
    found = inner_tests.TestUses(source, INNER, "till", frozenset({"main"}))
    assert [found.uses_usual_names(f"a.py::test_{name}") for name in ("one", "two")] == [True, False]


def test_lines_are_those_of_the_functions():
    source = {"a.py": "\n\ndef test_one(): pass\nclass TestIt:\n    def test_two(self): pass\n"}
    found = inner_tests.TestUses(source, INNER, "till")
    assert (found.line_of("a.py::test_one[x]"), found.line_of("a.py::TestIt::test_two")) == (3, 5)
    assert found.tests_in("a.py") == ["a.py::test_one", "a.py::TestIt::test_two"]
    assert found.line_of("a.py::test_three") is None
