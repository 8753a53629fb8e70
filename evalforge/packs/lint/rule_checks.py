"""Checks of the level rules: they name facts that exist, and every level can be earned."""

from collections.abc import Iterator
from itertools import chain

from evalforge.model.level_rules import Condition, FactCheck, LevelRules
from evalforge.packs.fact_catalogue import CATALOGUE, SUCCESSORS, FactKind, fact_kind
from evalforge.packs.lint.issue import LintIssue, issue_from_error
from evalforge.packs.lint.reachability import always_holds, can_all_hold
from evalforge.packs.lint.trial_titles import groups_of_trials, suggestion
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack
from evalforge.packs.pack import rule_errors

_Place = tuple[str, int, int]


def check_rules(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Check that the rules decide as they should, and that each condition on trials has messages."""
    yield from rule_faults(draft)
    if draft.rules is not None:
        for rule_position, condition in _conditions(draft.rules.value):
            yield from _words_issues(draft.rules, rule_position, condition)


def rule_faults(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield what makes a verdict wrong: criteria and levels not in the rubric, unknown facts, idle conditions."""
    rules = draft.rules
    if rules is None:
        return
    if draft.rubric is not None:
        yield from map(issue_from_error, rule_errors(rules.document, draft.rubric.value, rules.value))
    fact_names = set(CATALOGUE) | {f"trials.{group}" for group in groups_of_trials(draft)}
    for rule_position, condition in _conditions(rules.value):
        for index, check in enumerate(condition.checks):
            location = _location(rule_position, condition, index)
            if check.fact not in fact_names:
                successor = SUCCESSORS.get(check.fact)
                hint = f": use {successor}" if successor else suggestion(check.fact, fact_names)
                message = f"nothing measures {check.fact}{hint}"
                yield rules.issue((*location, "fact"), message)
            else:
                yield from _check_issues(rules, (*location, "check"), check)
    yield from _contradictions(rules, fact_names)


def _words_issues(rules: PackFile[LevelRules], rule_position: _Place, condition: Condition) -> Iterator[LintIssue]:
    """Check that a condition on trials has advice, and that its message leaves counts to the judge."""
    if not condition.checks[0].fact.startswith("trials."):
        return
    criterion, step, at = rule_position
    location = (criterion, step, "requires", at)
    if "{passed}" in condition.otherwise or "{total}" in condition.otherwise:
        message = "the judge already says how many trials fail: take {passed} and {total} out, and say what is wrong"
        yield rules.issue((*location, "otherwise"), message)
    if not condition.improve:
        yield rules.issue(location, "no advice: say under improve what to do when this condition fails")


def _conditions(rules: LevelRules) -> Iterator[tuple[_Place, Condition]]:
    for criterion, steps in rules.root.items():
        for step_index, step in enumerate(steps):
            for index, condition in enumerate(step.requires):
                yield (criterion, step_index, index), condition


def _location(rule_position: _Place, condition: Condition, index: int) -> tuple[str | int, ...]:
    criterion, step, at = rule_position
    base = (criterion, step, "requires", at)
    return (*base, "any", index) if condition.any else base


def _check_issues(
    rules: PackFile[LevelRules], location: tuple[str | int, ...], check: FactCheck
) -> Iterator[LintIssue]:
    kind = fact_kind(check.fact)
    condition = f"{check.fact} {check.check.strip()}"
    if not can_all_hold([[check]]):
        yield rules.issue(location, f"{condition} never holds: {check.fact} is {kind.value}")
    elif always_holds(check):
        yield rules.issue(location, f"{condition} always holds: {check.fact} is {kind.value}")
    elif kind is not FactKind.FLAG and check.check.strip().lower().endswith(("true", "false")):
        yield rules.issue(location, f"{condition}: {check.fact} is {kind.value}, so compare it with a number")


def _contradictions(rules: PackFile[LevelRules], fact_names: set[str]) -> Iterator[LintIssue]:
    """Yield the first condition of each criterion that can't hold together with those before it."""
    for criterion, steps in rules.value.root.items():
        upper_checks: list[list[FactCheck]] = []
        for step_index, condition in chain.from_iterable(
            ((step, condition) for condition in rule.requires) for step, rule in enumerate(steps)
        ):
            options = [check for check in condition.checks if check.fact in fact_names]
            if not options or not can_all_hold([options]):
                continue
            upper_checks.append(options)
            if not can_all_hold(upper_checks):
                index = steps[step_index].requires.index(condition)
                location = _location((criterion, step_index, index), condition, 0)
                alternatives = " or ".join(f"{check.fact} {check.check.strip()}" for check in options)
                level = steps[step_index].level
                yield rules.issue(
                    location,
                    f"level {level} of {criterion} can't be reached: {alternatives} contradicts a condition above",
                )
                break
