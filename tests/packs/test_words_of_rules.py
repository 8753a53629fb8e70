"""What a boss's rules say never goes beyond what they measured."""

import re

import pytest

from evalforge.model.level_rules import Condition, LevelRules
from evalforge.packs.pack import load_pack
from tests.conftest import REPOSITORY

BOSSES = sorted(path.name for path in (REPOSITORY / "bosses").iterdir() if path.is_dir())


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
