"""How facts earn levels: the one mechanism behind the forge judge's choices and every judge's ceilings."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from evalforge.model.evidence import Evidence, Fact, Finding, counts
from evalforge.model.numbers import exact
from evalforge.model.rubric import Criterion, Level
from evalforge.model.rules import Condition, LevelRule, LevelRules, holds
from evalforge.model.text import clean_line

_WORD = re.compile(r"\{(value|passed|total|where|first|name)\}")


@dataclass(frozen=True)
class Failure:
    """A condition that does not hold: its words, filled in, and what was found."""

    criterion_id: str
    level: Level
    condition: Condition
    otherwise: str
    improve: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Earned:
    """The level a criterion earned, why, and what kept it from the next."""

    criterion: Criterion
    level: Level
    words: str
    failures: tuple[Failure, ...]


def meets(condition: Condition, evidence: Evidence) -> bool:
    """Whether at least one of a condition's checks holds; a fact that wasn't measured holds nothing."""
    for check in condition.checks:
        fact = evidence.fact(check.fact)
        if fact is not None and holds(check.check, fact.value):
            return True
    return False


def earned(criterion: Criterion, rules: LevelRules, evidence: Evidence) -> Earned:
    """The highest level whose conditions, and those of all lower levels, hold."""
    level, words = criterion.levels[0], ""
    for rule in rules.of(criterion.id):
        failing = [condition for condition in rule.requires if not meets(condition, evidence)]
        if failing:
            target = criterion.level(rule.level)
            failures = tuple(_failure(criterion, target, condition, evidence) for condition in failing)
            return Earned(criterion, level, words, failures)
        level = criterion.level(rule.level)
        words = _fill(rule.earned, rule.requires[0], evidence) or words
    return Earned(criterion, level, words, ())


def ceiling(criterion: Criterion, rules: LevelRules, evidence: Evidence) -> tuple[Level, str]:
    """The highest level that behaviour allows, and why no higher; style never bounds anyone.

    Conditions on trials, and on the player's tests as they were run, bound; all others are left to the judge.
    """
    level = criterion.levels[0]
    for rule in rules.of(criterion.id):
        broken = _broken_behaviour(rule, evidence)
        if broken is not None:
            return level, _fill(broken.otherwise, broken, evidence)
        level = criterion.level(rule.level)
    top = criterion.levels[-1]
    return (top if exact(level.score) <= exact(top.score) else level), ""


def _broken_behaviour(rule: LevelRule, evidence: Evidence) -> Condition | None:
    for condition in rule.requires:
        if condition.is_behaviour and not meets(condition, evidence) and _is_known(condition, evidence):
            return condition
    return None


def _is_known(condition: Condition, evidence: Evidence) -> bool:
    """Whether the facts were measured: tests that could not be run here say nothing against them."""
    found = ((check.fact, evidence.fact(check.fact)) for check in condition.checks)
    return any(name.startswith("trials.") or (fact is not None and fact.value is not None) for name, fact in found)


def _failure(criterion: Criterion, level: Level, condition: Condition, evidence: Evidence) -> Failure:
    otherwise = _fill(condition.otherwise, condition, evidence)
    return Failure(
        criterion_id=criterion.id,
        level=level,
        condition=condition,
        otherwise=otherwise,
        improve=_fill(condition.improve, condition, evidence) or otherwise,
        findings=tuple(finding for fact in _blamed(condition, evidence) for finding in fact.findings),
    )


def _blamed(condition: Condition, evidence: Evidence) -> list[Fact]:
    """The facts whose findings are faults: what there is too much of, or what a share lacks.

    Where a condition asks for more of something, the findings are what is there already, and explain nothing.
    """
    found = ((check, evidence.fact(check.fact)) for check in condition.checks)
    return [fact for check, fact in found if fact is not None and (_is_share(fact.name) or wants_less(check.check))]


def _is_share(name: str) -> bool:
    return name.startswith("trials.") or name.endswith(("_share", "_score", ".passed"))


def wants_less(check: str) -> bool:
    """Whether a check is on what there is to be little or nothing of."""
    return check.lstrip().startswith("<") or check.replace(" ", "").lower() in ("==0", "==false")


def _fill(words: str, condition: Condition, evidence: Evidence) -> str:
    """Put measured values into a condition's words."""
    if "{" not in words:
        return words
    name = condition.checks[0].fact
    fact = evidence.fact(name)
    group = name.partition(".")[2]
    passed, total = counts(evidence.trials, group)
    finding = next(iter(fact.findings), None) if fact else None
    values = {
        "value": _shown(name, fact, math.ceil if wants_less(condition.checks[0].check) else math.floor),
        "passed": str(passed),
        "total": str(total),
        "where": next((f.place for f in fact.findings if f.place), "the code") if fact else "the code",
        "first": finding.message if finding else "",
        "name": finding.message if finding else "",
    }
    return _WORD.sub(lambda match: clean_line(values[match[1]]), words)


def _shown(name: str, fact: Fact | None, rounded: Callable[[Fraction], int]) -> str:
    """A measured value in words. Shares are rounded away from what is asked for: 0.695 is no 70 % where that is due."""
    if fact is None or fact.value is None:
        return "not measured"
    if isinstance(fact.value, bool):
        return "yes" if fact.value else "no"
    if _is_share(name) and isinstance(fact.value, int | float):
        return f"{rounded(exact(fact.value) * 100)} %"
    return f"{fact.value:g}" if isinstance(fact.value, float) else str(fact.value)
