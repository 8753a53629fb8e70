"""Checks of the level rules: they name facts that exist, every level can be earned, and their words can be printed."""

import math
import re
from collections.abc import Iterator
from itertools import islice, product

from evalforge.model.level_rules import PLACEHOLDERS, Condition, FactCheck, LevelRules, meets_check
from evalforge.packs.document import Location
from evalforge.packs.fact_catalogue import CATALOGUE, GONE_FACTS, FactKind, fact_kind
from evalforge.packs.issue import Issue, issue_from_error
from evalforge.packs.lint.trial_checks import groups_of_trials, suggestion
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack
from evalforge.packs.pack import rule_errors

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_MAX_CHOICES = 20_000
"""The most choices among alternatives that are tried before conditions count as compatible."""
_EPSILON = 1e-6
# Doesn't match "{1, 2}", which isn't a placeholder and is printed as it is
_BRACES = re.compile(r"\{([a-z_]+)\}")


def rule_faults(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield what makes a verdict wrong: criteria and levels not in the rubric, unknown facts, idle conditions."""
    rules = pack.rules
    if rules is None:
        return
    if pack.rubric is not None:
        yield from map(issue_from_error, rule_errors(rules.document, pack.rubric.value, rules.value))
    fact_names = set(CATALOGUE) | {f"trials.{group}" for group in groups_of_trials(pack)}
    for location, condition in _conditions(rules.value):
        for index, check in enumerate(condition.checks):
            place = (*location, "any", index) if condition.any else location
            if check.fact not in fact_names:
                yield rules.issue((*place, "fact"), _unknown_fact(check.fact, fact_names))
            elif message := _idle(check):
                yield rules.issue((*place, "check"), message)
    yield from _contradictions(rules, fact_names)


def check_rules(pack: UncheckedPack) -> Iterator[Issue]:
    """Check that conditions on trials give advice, words can be filled in, and no two criteria count the same."""
    rules = pack.rules
    if rules is None:
        return
    for criterion_id, steps in rules.value.root.items():
        for step, rule in enumerate(steps):
            if message := _unknown_placeholder(rule.earned):
                yield rules.issue((criterion_id, step, "earned"), message)
    for location, condition in _conditions(rules.value):
        if condition.checks[0].fact.startswith("trials.") and not condition.improve:
            yield rules.issue(location, "no advice: say under improve what to do when this condition fails")
        words = {"otherwise": condition.otherwise, "improve": condition.improve, "why": condition.why}
        for key, sentence in words.items():
            if message := _unknown_placeholder(sentence):
                yield rules.issue((*location, key), message)
    yield from _same_rules(rules)


def _conditions(rules: LevelRules) -> Iterator[tuple[Location, Condition]]:
    for criterion_id, steps in rules.root.items():
        for step, rule in enumerate(steps):
            for index, condition in enumerate(rule.requires):
                yield (criterion_id, step, "requires", index), condition


def _unknown_fact(name: str, fact_names: set[str]) -> str:
    """What is wrong with the name of a fact that nothing measures: it is gone, or misspelled."""
    if name not in GONE_FACTS:
        return f"nothing measures {name}{suggestion(name, fact_names)}"
    remedy = f"use {GONE_FACTS[name]} in its place" if GONE_FACTS[name] else "take the condition out"
    return f"{name} is no longer measured: {remedy}"


def _unknown_placeholder(sentence: str) -> str:
    """What is wrong with a word in braces that no value replaces; empty if there is none."""
    unknown = next((name for name in _BRACES.findall(sentence) if name not in PLACEHOLDERS), "")
    choices = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    return f"nothing fills in {{{unknown}}}: write one of {choices}, or leave it out" if unknown else ""


def _same_rules(rules: PackFile[LevelRules]) -> Iterator[Issue]:
    """Yield pairs of criteria decided by the same facts, since these would count twice."""
    deciding: dict[tuple[object, ...], str] = {}
    for name, steps in rules.value.root.items():
        conditions = tuple(
            tuple(sorted((check.fact, check.check) for condition in step.requires for check in condition.checks))
            for step in steps
        )
        other = deciding.setdefault(conditions, name)
        if other != name:
            yield rules.issue((name,), f"{name} and {other} are decided by the same facts: they count twice")


def _idle(check: FactCheck) -> str:
    """Why a check decides nothing or reads oddly; empty if it is fine."""
    kind = fact_kind(check.fact)
    condition = f"{check.fact} {check.check.strip()}"
    results = {meets_check(check.check, value) for value in _values([check])}
    if len(results) == 1:
        return f"{condition} {'always' if results == {True} else 'never'} holds: {check.fact} is {kind.value}"
    if kind is not FactKind.FLAG and check.check.strip().lower().endswith(("true", "false")):
        return f"{condition}: {check.fact} is {kind.value}, so compare it with a number"
    return ""


def _contradictions(rules: PackFile[LevelRules], fact_names: set[str]) -> Iterator[Issue]:
    """Yield the first condition of each criterion that can't hold together with those before it."""
    for criterion_id, steps in rules.value.root.items():
        conditions: list[list[FactCheck]] = []
        for location, condition in _conditions(LevelRules({criterion_id: steps})):
            options = [check for check in condition.checks if check.fact in fact_names]
            if not options or not _can_all_hold([options]):
                continue
            conditions.append(options)
            if not _can_all_hold(conditions):
                alternatives = " or ".join(f"{check.fact} {check.check.strip()}" for check in options)
                level = steps[int(location[1])].level
                message = (
                    f"level {level} of {criterion_id} can't be reached: {alternatives} contradicts a condition above"
                )
                yield rules.issue((*location, "any", 0) if condition.any else location, message)
                break


def _can_all_hold(conditions: list[list[FactCheck]]) -> bool:
    """Whether some values of the facts meet at least one alternative of each condition; True if there are too many."""
    choices = product(*conditions)
    return any(map(_holds_together, islice(choices, _MAX_CHOICES))) or next(choices, None) is not None


def _holds_together(checks: tuple[FactCheck, ...]) -> bool:
    """Whether some values of the facts pass all checks."""
    by_fact: dict[str, list[FactCheck]] = {}
    for check in checks:
        by_fact.setdefault(check.fact, []).append(check)
    return all(
        any(all(meets_check(check.check, value) for check in on_fact) for value in _values(on_fact))
        for on_fact in by_fact.values()
    )


def _values(checks: list[FactCheck]) -> set[float]:
    """Values on, just below and just above each number in the checks, within the range of the fact.

    All values between two neighbouring numbers pass the same checks, so these represent all.
    """
    kind = fact_kind(checks[0].fact)
    if kind is FactKind.FLAG:
        return {0.0, 1.0}
    limits = [_number(check.check) for check in checks]
    if kind is FactKind.COUNT:
        candidates = {math.floor(number) + step for number in limits for step in (-1, 0, 1, 2)}
        return {float(value) for value in candidates | {0} if value >= 0}
    near_shares = {number + step for number in limits for step in (-_EPSILON, 0.0, _EPSILON)}
    return {value for value in near_shares | {0.0, 1.0} if 0 <= value <= 1}


def _number(check: str) -> float:
    match = _NUMBER.search(check)
    return float(match.group()) if match else float("true" in check.lower())
