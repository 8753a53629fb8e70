"""Checks of evidence.yaml: what they accept and what they mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalforge.model.level_rules import Condition, LevelRules, meets_check


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-5, 5))
def test_a_check_means_what_it_says(value: float, bound: int) -> None:
    assert meets_check(f">= {bound}", value) == (value >= bound)
    assert meets_check(f"< {bound}", value) == (value < bound)
    assert meets_check(f"== {bound}", value) == (value == bound)
    assert meets_check(f"!= {bound}", value) == (value != bound)


@pytest.mark.parametrize("value", [None, "text"])
@pytest.mark.parametrize("check", [">= 0", "!= 5", "== 0", "< 3"])
def test_nothing_holds_for_what_was_not_measured(check: str, value: str | None) -> None:
    assert not meets_check(check, value)


def test_yes_and_no_are_compared_as_such() -> None:
    assert meets_check("== true", True)
    assert meets_check("== false", False)
    assert not meets_check("== true", False)


@pytest.mark.parametrize("check", ["0.8", ">= high", "=> 1", "", "> 1; import os"])
def test_a_check_that_can_not_be_read_is_refused(check: str) -> None:
    with pytest.raises(ValidationError):
        Condition(fact="trials.x", check=check, otherwise="words")


@pytest.mark.parametrize("fact", ["speed", "trials", "secret.x", "trials.a b"])
def test_a_fact_needs_a_known_namespace(fact: str) -> None:
    with pytest.raises(ValidationError):
        Condition(fact=fact, check=">= 1", otherwise="words")


def test_a_condition_without_words_is_refused() -> None:
    with pytest.raises(ValidationError):
        Condition(fact="trials.x", check=">= 1", otherwise="")


def test_only_conditions_on_trials_speak_of_behaviour() -> None:
    assert Condition(fact="trials.x", check=">= 1", otherwise="w").is_behaviour
    assert Condition(fact="tests.mutation_score", check=">= 0.5", otherwise="w").is_behaviour
    assert not Condition(fact="tests.asserts", check=">= 1", otherwise="w").is_behaviour
    assert not Condition(fact="code.longest_function", check=">= 1", otherwise="w").is_behaviour


def test_whether_there_is_anything_to_judge_is_no_style() -> None:
    for fact in ("code.syntax_errors", "code.functions", "tests.asserts", "tests.passed", "trials.x"):
        assert Condition(fact=fact, check=">= 1", otherwise="w").is_soundness, fact
    assert not Condition(fact="code.longest_function", check="<= 40", otherwise="w").is_soundness


def test_levels_must_ascend() -> None:
    step = {"requires": [{"fact": "trials.x", "check": ">= 1", "otherwise": "w"}]}
    with pytest.raises(ValidationError, match="ascending"):
        LevelRules.model_validate({"c": [{"level": 2, **step}, {"level": 1, **step}]})
