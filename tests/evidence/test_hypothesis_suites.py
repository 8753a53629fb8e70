"""Suites that use Hypothesis run as others do: the same examples each time, in bounded number, and nothing stored."""

import pytest

from tests.evidence.conftest import CLASSIFY, Examine, messages

PROPERTIES = """
from hypothesis import example, given, settings, strategies as st
from classify import classify

@given(st.integers(), st.integers())
@example(2, 2)
def test_it(value, limit):
    assert classify(value, limit) == ("low" if value < limit else "high")
"""


def test_properties_notice_every_fault(examine: Examine) -> None:
    facts = examine(classify=CLASSIFY, test_classify=PROPERTIES)
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])
    assert facts["tests.mutation_score"].value == 1.0, messages(facts["tests.mutation_score"])


@pytest.mark.parametrize(
    "settings",
    [
        "@settings(max_examples=100_000, deadline=1)",
        "@settings(settings.get_profile('ci'), max_examples=10**6)",
        "settings.register_profile('long', max_examples=10**6)\nsettings.load_profile('long')",
        "settings.load_profile('default')",
    ],
)
def test_the_number_of_examples_is_bounded(examine: Examine, settings: str) -> None:
    test = f"""
from hypothesis import given, settings, strategies as st
from classify import classify
seen = []
{settings}
@given(st.integers())
def test_many(value): seen.append(classify(value, 1))
def test_count(): assert len(seen) <= 30
"""
    facts = examine(classify=CLASSIFY, test_classify=test)
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


def test_examples_are_the_same_each_time(examine: Examine) -> None:
    test = """
        from hypothesis import given, strategies as st
        from classify import classify
        @given(st.lists(st.integers()), st.text())
        def test_it(numbers, text): assert len(numbers) + len(text) < 12, (numbers, text)
    """
    first, second = (messages(examine(classify=CLASSIFY, test_classify=test)["tests.passed"]) for _ in range(2))
    assert "test_it" in first
    assert first == second


def test_fixtures_methods_and_state_machines_are_used_too(examine: Examine) -> None:
    test = """
        import unittest
        from hypothesis import HealthCheck, assume, given, settings, strategies as st
        from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
        from classify import classify
        @given(number=st.integers(0, 9))
        def test_fixture(tmp_path, number): assert classify(number, 10) == "low"
        class TestIt:
            @given(st.data())
            def test_data(self, data): assert classify(data.draw(st.integers(5, 6)), 5) == "high"
        class Case(unittest.TestCase):
            @given(st.integers())
            def test_case(self, number):
                assume(number > 0)
                self.assertEqual(classify(number, 1), "high")
        class Machine(RuleBasedStateMachine):
            total = 0
            @rule(n=st.integers(0, 5))
            def add(self, n): self.total += n
            @invariant()
            def positive(self): assert self.total >= 0
        TestMachine = Machine.TestCase
    """
    facts = examine(classify=CLASSIFY, test_classify=test)
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])
