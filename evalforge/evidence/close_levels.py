"""Facts between two adjacent levels: which level is given then, and what decided.

These rules were compared with the levels that two readers gave 187 programs. Only cognitive complexity has a zone in
which other facts decide. Up to 15 nobody calls a function too tangled, and above 30 everybody does. In between, readers
accept the function if the code is otherwise well kept. Length, docstrings and numbers of functions have no such zone: a
near miss there still counts as a miss.
"""

from evalforge.evidence.conditions import is_met, number_of
from evalforge.model.evidence import Evidence
from evalforge.model.level_rules import Condition, FactCheck, LevelRule

_ZONE_ENDS = {"code.max_complexity": 30}
"""The value up to which a fact above its limit counts as a near miss."""
_MIN_OTHER_CONDITIONS = 3
"""How many other conditions of the level there must be, all of them met."""
_NEAR_SHARE = 0.1
"""How far from its limit, relative to it, the fact of a nearly met condition may be."""


def conceded_condition(rule: LevelRule, evidence: Evidence) -> Condition | None:
    """The only unmet condition of a level, if the level is given all the same; else None.

    Its fact is between two levels, and all other conditions of the higher one are met.
    """
    unmet = [condition for condition in rule.requires if not is_met(condition, evidence)]
    if len(unmet) != 1 or len(rule.requires) <= _MIN_OTHER_CONDITIONS:
        return None
    check = unmet[0].checks[0]
    value, end = number_of(evidence.fact(check.fact)), _ZONE_ENDS.get(check.fact)
    is_near_miss = len(unmet[0].checks) == 1 and end is not None and value is not None and value <= end
    return unmet[0] if is_near_miss and check.check.startswith("<=") else None


def is_close(conditions: list[Condition], evidence: Evidence) -> bool:
    """Whether only one condition keeps a submission from a level, and it is nearly met."""
    if len(conditions) != 1 or len(conditions[0].checks) != 1:
        return False
    check = conditions[0].checks[0]
    value, limit = number_of(evidence.fact(check.fact)), _limit(check)
    return value is not None and limit != 0 and abs(float(value) - limit) <= _NEAR_SHARE * abs(limit)


def _limit(check: FactCheck) -> float:
    """The number that a check compares with; 0 for a yes or no."""
    text = check.check.lstrip("<>=! ").strip()
    return 0.0 if text.casefold() in ("true", "false") else float(text)
