"""The tests that are about an impostor's fault are run first on it."""

from collections.abc import Iterable

import pytest

from evalforge.evidence.impostors.program_in_place import LikelyTests
from evalforge.evidence.mutation.mutation_plan import PassingTest
from evalforge.packs.impostors import Impostor, Replacement

IMPOSTOR = Impostor(
    id="second-reversal",
    of="flawless",
    owner="history",
    level=1,
    clause="ERRORS",
    says="another id, of the same transaction",
    fault="A transaction can be reversed a second time under another id.",
    riddle="",
    change=(Replacement(file="ledger.py", old="if again:", new="if False:"),),
)


def suite(*names: str, seconds: float = 0.01) -> list[PassingTest]:
    return [PassingTest(name, seconds, {}) for name in names]


def order(tests: Iterable[PassingTest], **texts: list[str]) -> list[str]:
    tests = list(tests)
    by_test = {f"t.py::{name}": words for name, words in texts.items()}
    names = [test.name for test in tests]
    return [name.partition("::")[2] for name in LikelyTests(tests, by_test).in_order(names, IMPOSTOR)]


@pytest.mark.parametrize("name", ["test_reversing_twice", "TestReversals::test_it", "testReversed", "test_x[reverse]"])
def test_a_test_named_after_the_fault_comes_first(name: str) -> None:
    assert order(suite("t.py::test_balance", "t.py::test_close", f"t.py::{name}"))[0] == name


def test_what_a_test_calls_and_quotes_counts_as_well() -> None:
    tests = suite("t.py::test_a", "t.py::test_b", "t.py::test_c")
    assert order(tests, test_a=["post"], test_b=["post", "reverse"], test_c=["statement"])[0] == "test_b"


def test_words_that_all_tests_share_say_nothing() -> None:
    tests = suite("t.py::test_transaction_open", "t.py::test_transaction_close", "t.py::test_transaction_second")
    assert order(tests)[0] == "test_transaction_second"


def test_of_two_alike_the_quick_one_comes_first() -> None:
    slow, quick = suite("t.py::test_reversal", seconds=2.0), suite("t.py::test_reversed", "t.py::test_close")
    assert order([*slow, *quick])[0] == "test_reversed"


def test_no_test_is_lost() -> None:
    names = [f"t.py::test_{number}" for number in range(9)]
    assert sorted(order(suite(*names))) == sorted(name.partition("::")[2] for name in names)
