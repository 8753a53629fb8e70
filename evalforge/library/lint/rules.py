"""The level rules: they name facts that exist, and every level can be earned."""

from collections.abc import Iterator
from itertools import chain

from evalforge.library.facts import CATALOGUE, Kind, kind_of
from evalforge.library.lint.draft import Draft, Part
from evalforge.library.lint.reach import always_holds, can_all_hold
from evalforge.library.lint.remark import Remark, from_error
from evalforge.library.lint.trials import groups, nearest
from evalforge.library.pack import rule_faults
from evalforge.model.rules import Condition, FactCheck, LevelRules

_Place = tuple[str, int, int]


def check_rules(draft: Draft) -> Iterator[Remark]:
    """Criteria and levels fit the rubric, facts exist, conditions can hold and can fail."""
    rules = draft.rules
    if rules is None:
        return
    if draft.rubric is not None:
        yield from map(from_error, rule_faults(rules.document, draft.rubric.value, rules.value))
    known = set(CATALOGUE) | {f"trials.{group}" for group in groups(draft)}
    for place, condition in _conditions(rules.value):
        for index, check in enumerate(condition.checks):
            location = _location(place, condition, index)
            if check.fact not in known:
                told = f"nothing measures {check.fact}{nearest(check.fact, known)}"
                yield rules.remark((*location, "fact"), told)
            else:
                yield from _single(rules, (*location, "check"), check)
    yield from _contradictions(rules, known)


def _conditions(rules: LevelRules) -> Iterator[tuple[_Place, Condition]]:
    for criterion, steps in rules.root.items():
        for at, step in enumerate(steps):
            for index, condition in enumerate(step.requires):
                yield (criterion, at, index), condition


def _location(place: _Place, condition: Condition, index: int) -> tuple[str | int, ...]:
    criterion, step, at = place
    base = (criterion, step, "requires", at)
    return (*base, "any", index) if condition.any else base


def _single(rules: Part[LevelRules], location: tuple[str | int, ...], check: FactCheck) -> Iterator[Remark]:
    kind = kind_of(check.fact)
    told = f"{check.fact} {check.check.strip()}"
    if not can_all_hold([[check]]):
        yield rules.remark(location, f"{told} never holds: {check.fact} is {kind.value}")
    elif always_holds(check):
        yield rules.remark(location, f"{told} always holds: {check.fact} is {kind.value}")
    elif kind is not Kind.FLAG and check.check.strip().lower().endswith(("true", "false")):
        yield rules.remark(location, f"{told}: {check.fact} is {kind.value}, so compare it with a number")


def _contradictions(rules: Part[LevelRules], known: set[str]) -> Iterator[Remark]:
    """The first condition of each criterion that can't hold together with those above it."""
    for criterion, steps in rules.value.root.items():
        above: list[list[FactCheck]] = []
        for at, condition in chain.from_iterable(
            ((step, condition) for condition in rule.requires) for step, rule in enumerate(steps)
        ):
            options = [check for check in condition.checks if check.fact in known]
            if not options or not can_all_hold([options]):
                continue
            above.append(options)
            if not can_all_hold(above):
                index = steps[at].requires.index(condition)
                location = _location((criterion, at, index), condition, 0)
                told = " or ".join(f"{check.fact} {check.check.strip()}" for check in options)
                level = steps[at].level
                yield rules.remark(
                    location, f"level {level} of {criterion} can't be reached: {told} contradicts a condition above"
                )
                break
