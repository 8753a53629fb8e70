"""Facts that lie between two adjacent levels: which level is given then, and what decided.

Two readers each gave the levels of 187 programs that these rules were held against. Cognitive complexity is the one
measure with a zone in which they decide by all else: up to 15 nobody calls a function too tangled, above 30 everybody
does, and between them well-kept code stays well kept and code with other faults doesn't. Length, docstrings and numbers
of functions have no such zone: there a single near miss was always meant.
"""

from evalforge.evidence.conditions import is_met, number_of
from evalforge.model.evidence import Evidence
from evalforge.model.level_rules import Condition, FactCheck, LevelRule

_ZONE_ENDS = {"code.max_complexity": 30}
"""Up to where a fact above its limit is a near miss."""
_MIN_OTHER_CONDITIONS = 3
"""So many other conditions of a level must speak for it, all of them met."""
_NEAR_SHARE = 0.1
"""How far from its limit, as a part of it, a fact is that all but meets a condition."""


def conceded_condition(rule: LevelRule, evidence: Evidence) -> Condition | None:
    """The condition of a level that isn't met and doesn't keep anybody from it; None if there is none.

    It is the only one, its fact lies between two levels, and all other conditions speak for the higher one.
    """
    unmet = [condition for condition in rule.requires if not is_met(condition, evidence)]
    if len(unmet) != 1 or len(rule.requires) <= _MIN_OTHER_CONDITIONS:
        return None
    check = unmet[0].checks[0]
    value, end = number_of(evidence.fact(check.fact)), _ZONE_ENDS.get(check.fact)
    is_near_miss = len(unmet[0].checks) == 1 and end is not None and value is not None and value <= end
    return unmet[0] if is_near_miss and check.check.startswith("<=") else None


def is_close(conditions: list[Condition], evidence: Evidence) -> bool:
    """Whether the conditions that keep a submission from a level are one alone, and all but met."""
    if len(conditions) != 1 or len(conditions[0].checks) != 1:
        return False
    check = conditions[0].checks[0]
    value, limit = number_of(evidence.fact(check.fact)), _limit(check)
    return value is not None and limit != 0 and abs(float(value) - limit) <= _NEAR_SHARE * abs(limit)


def _limit(check: FactCheck) -> float:
    """The number that a check compares with; 0 where it asks for yes or no."""
    text = check.check.lstrip("<>=! ").strip()
    return 0.0 if text.casefold() in ("true", "false") else float(text)
