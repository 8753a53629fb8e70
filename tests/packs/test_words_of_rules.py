"""What a boss's rules say never goes beyond what they measured."""

import re

import pytest

from evalforge.model.level_rules import Condition, FactCheck, LevelRule, LevelRules, meets_check
from evalforge.packs.pack import load_pack
from tests.conftest import REPOSITORY

BOSSES = sorted(path.name for path in (REPOSITORY / "bosses").iterdir() if path.is_dir())
UNIVERSAL = re.compile(r"\b(all|always|any|each|every|exactly|never|no|none|nothing|whatever)\b", re.IGNORECASE)
# "All but two odd ones are refused" allows exceptions.
QUALIFIED = re.compile(r"\b(all|every one|none) but\b|\b(nearly|almost) (all|every)\b", re.IGNORECASE)
# "In a graph with a limit, ..." doesn't begin a list.
CIRCUMSTANCE = re.compile(r"^(after|at|between|for|if|in|of|on|when|where|with|without)\b[^,]*, ", re.IGNORECASE)
# For example "a sum, a count or an average is wrong"
SUSPECTS = re.compile(r"^[^,]+, (?!or\b)[^,]+?,? or\b", re.IGNORECASE)
WRITTEN_TESTS = frozenset(
    f"tests.{name}" for name in ("count", "asserts", "failure_cases", "contract", "inner", "passed")
)
NOTICING_TESTS = frozenset(f"tests.{name}" for name in ("unmasked", "noticed", "mutation_score", "vacuous"))
WRITTEN_CODE = frozenset(f"code.{name}" for name in ("functions", "docstring_share", "reported_failures", "main_guard"))


def rules_of(boss: str) -> LevelRules:
    """The rules of a shipped boss."""
    return load_pack(REPOSITORY / "bosses" / boss).rules


def conditions(rules: LevelRules) -> list[Condition]:
    """The conditions of all levels."""
    return [condition for levels in rules.root.values() for rule in levels for condition in rule.requires]


@pytest.mark.parametrize("boss", BOSSES)
def test_tests_agree_only_if_none_contradicts_the_contract(boss: str) -> None:
    for levels in rules_of(boss).root.values():
        for rule in levels:
            allowed = [
                check.check
                for condition in rule.requires
                for check in condition.checks
                if check.fact == "tests.wrong_expectations"
            ]
            assert "agree with the contract" not in rule.earned or allowed == ["== 0"], rule.earned


@pytest.mark.parametrize("boss", BOSSES)
def test_an_error_that_is_caught_may_still_end_the_program(boss: str) -> None:
    """A handler that exits or raises another error takes what was raised in it, but the program doesn't go on."""
    for condition in conditions(rules_of(boss)):
        if {check.fact for check in condition.checks} & {"code.catch_alls", "code.caught_interrupts"}:
            said = f"{condition.otherwise} {condition.why}"
            assert not re.search(r"swallow|goes on|normal-looking|unnoticed|carries on\.|stop nothing", said), said


@pytest.mark.parametrize("boss", BOSSES)
def test_a_count_of_functions_is_not_called_one_function(boss: str) -> None:
    for condition in conditions(rules_of(boss)):
        assert not re.search(r"\bone function\b.*\{value\}", condition.otherwise) or (
            condition.checks[0].fact != "code.functions"
        ), condition.otherwise


def about_trials(condition: Condition) -> bool:
    return condition.fact.startswith("trials.")


def asks_for_more(check: FactCheck) -> bool:
    """Whether a fact has to be more than 0 to meet the check: ``>= 1``, ``== true``."""
    return not meets_check(check.check, 0)


def asks_for_any(condition: Condition, facts: frozenset[str]) -> bool:
    return any(check.fact in facts and asks_for_more(check) for check in condition.checks)


def limits_code(condition: Condition) -> bool:
    of_code = [check for check in condition.checks if check.fact.startswith("code.")]
    of_style = [check for check in of_code if check.fact != "code.syntax_errors"]
    return bool(of_style) and not any(map(asks_for_more, of_style))


@pytest.mark.parametrize("boss", BOSSES)
def test_praise_claims_no_more_than_was_measured(boss: str) -> None:
    for rule in (rule for levels in rules_of(boss).root.values() for rule in levels):
        lets_a_trial_fail = any(about_trials(each) and meets_check(each.check, 0.999) for each in rule.requires)
        is_about_trials = 2 * sum(each.is_behaviour for each in rule.requires) > len(rule.requires)
        claim = UNIVERSAL.search(QUALIFIED.sub("", rule.earned))
        assert not (claim and lets_a_trial_fail and is_about_trials), rule.earned
        # code.duplicate_blocks compares the steps of functions, not rules.
        is_about_rules = re.search(r"\b(each|every) rule\b|\bin one place\b", rule.earned, re.IGNORECASE)
        assert not is_about_rules or any(each.is_behaviour for each in rule.requires), rule.earned


@pytest.mark.parametrize("boss", BOSSES)
def test_what_failed_trials_mean_is_a_finding_and_no_guess(boss: str) -> None:
    for otherwise in (each.otherwise for each in conditions(rules_of(boss)) if about_trials(each)):
        assert not re.search(r"\b(must|has to|have to|needs? to|ought to)\b", otherwise, re.IGNORECASE), otherwise
        clause = re.split(r", but |[;:] ", otherwise)[-1]
        assert not SUSPECTS.search(CIRCUMSTANCE.sub("", clause)), otherwise
        # The judge already says how many trials fail.
        assert not re.search(r"\{(passed|total)\}", otherwise), otherwise


@pytest.mark.parametrize("boss", BOSSES)
def test_no_level_rests_on_the_form_of_tests_or_code(boss: str) -> None:
    for rule in (rule for levels in rules_of(boss).root.values() for rule in levels):
        assert not (asks_for_written(rule, WRITTEN_TESTS) and not any(map(asks_what_is_noticed, rule.requires)))
        is_limited = any(
            limits_code(each) or all(check.fact.startswith("trials.") for check in each.checks)
            for each in rule.requires
        )
        assert is_limited or not asks_for_written(rule, WRITTEN_CODE), rule


def asks_for_written(rule: LevelRule, facts: frozenset[str]) -> bool:
    return any(asks_for_any(each, facts) for each in rule.requires)


def asks_what_is_noticed(condition: Condition) -> bool:
    is_met_by_form = asks_for_any(condition, WRITTEN_TESTS)
    return not is_met_by_form and any(check.fact in NOTICING_TESTS for check in condition.checks)
