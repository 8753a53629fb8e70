"""Whether conditions on facts hold, and whether facts come nearer to them."""

from fractions import Fraction

from evalforge.model.evidence import Evidence, Fact
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import Condition, FactCheck, meets_check


def is_met(condition: Condition, evidence: Evidence) -> bool:
    """Whether at least one of a condition's checks holds; an unmeasured fact passes no check."""
    return met_check(condition, evidence) is not None


def met_check(condition: Condition, evidence: Evidence) -> FactCheck | None:
    """The first of a condition's checks that holds; None if none does."""
    for check in condition.checks:
        fact = evidence.fact(check.fact)
        if fact is not None and meets_check(check.check, fact.value):
            return check
    return None


def moves_nearer(condition: Condition, before: Evidence, after: Evidence) -> bool:
    """Whether the fact of a condition's first check came nearer to its limit between two attempts."""
    check = condition.checks[0]
    was, now = (number_of(evidence.fact(check.fact)) for evidence in (before, after))
    if was is None or now is None:
        return False
    return now < was if asks_for_less(check.check) else now > was


def number_of(fact: Fact | None) -> Fraction | None:
    """A fact's value as an exact number; None if it isn't a number."""
    value = fact.value if fact else None
    return to_fraction(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def asks_for_less(check: str) -> bool:
    """Whether a check asks for little or none of something: ``< 3``, ``== 0``, ``== false``."""
    return check.lstrip().startswith("<") or check.replace(" ", "").lower() in ("==0", "==false")
