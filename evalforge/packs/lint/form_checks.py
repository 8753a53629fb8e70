"""Checks for rules that form alone can meet: tests that catch nothing, or code that does nothing."""

from collections.abc import Iterator

from evalforge.model.level_rules import Condition, FactCheck, LevelRule, meets_check
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.unchecked_pack import UncheckedPack

_WRITTEN_TESTS = frozenset(
    f"tests.{name}" for name in ("count", "asserts", "failure_cases", "contract", "inner", "passed")
)
_NOTICING_TESTS = frozenset(f"tests.{name}" for name in ("unmasked", "noticed", "mutation_score", "vacuous"))
_WRITTEN_CODE = frozenset(
    f"code.{name}" for name in ("functions", "docstring_share", "reported_failures", "main_guard")
)
_SYNTAX_ERRORS = "code.syntax_errors"


def check_form(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield notes on levels that need tests or code to exist, but not to do anything."""
    rules = draft.rules
    if rules is None:
        return
    for criterion, steps in rules.value.root.items():
        for step, rule in enumerate(steps):
            for condition, reason in _bought(rule):
                index = rule.requires.index(condition)
                message = f"level {rule.level} of {criterion} may be bought by form alone: {reason}"
                yield rules.issue((criterion, step, "requires", index), message, is_problem=False)


def _bought(rule: LevelRule) -> Iterator[tuple[Condition, str]]:
    """The first condition of each kind that form alone meets, and why no other condition in the rule prevents that."""
    written_tests = [require for require in rule.requires if _asks_for_any(require, _WRITTEN_TESTS)]
    if written_tests and not any(_asks_what_tests_notice(require) for require in rule.requires):
        reason = f"{_first_check(written_tests[0], _WRITTEN_TESTS)} is met by tests that catch nothing"
        advice = "Ask for tests.unmasked or tests.noticed as well, or at least for tests.vacuous == false."
        yield written_tests[0], f"{reason}. {advice}"
    written_code = [require for require in rule.requires if _asks_for_any(require, _WRITTEN_CODE)]
    if written_code and not any(_limits_code(require) or _is_about_trials(require) for require in rule.requires):
        reason = f"{_first_check(written_code[0], _WRITTEN_CODE)} is met by adding code, and nothing limits the rest"
        advice = "Ask for a limit as well, such as code.longest_function, or for trials."
        yield written_code[0], f"{reason}. {advice}"


def _asks_for_more(check: FactCheck) -> bool:
    """Whether a fact has to be more than 0 to meet the check: ``>= 1``, ``== true``."""
    return not meets_check(check.check, 0)


def _asks_for_any(condition: Condition, facts: frozenset[str]) -> bool:
    return any(check.fact in facts and _asks_for_more(check) for check in condition.checks)


def _first_check(condition: Condition, facts: frozenset[str]) -> str:
    check = next(choice for choice in condition.checks if choice.fact in facts and _asks_for_more(choice))
    return f"{check.fact} {check.check.strip()}"


def _asks_what_tests_notice(condition: Condition) -> bool:
    is_met_by_form = _asks_for_any(condition, _WRITTEN_TESTS)
    return not is_met_by_form and any(check.fact in _NOTICING_TESTS for check in condition.checks)


def _limits_code(condition: Condition) -> bool:
    of_code = [check for check in condition.checks if check.fact.startswith("code.") and check.fact != _SYNTAX_ERRORS]
    return bool(of_code) and not any(_asks_for_more(check) for check in of_code)


def _is_about_trials(condition: Condition) -> bool:
    return all(check.fact.startswith("trials.") for check in condition.checks)
