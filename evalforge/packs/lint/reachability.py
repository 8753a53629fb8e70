"""A check of whether conditions can hold together, searching the few values of each fact that matter."""

import math
import re

from evalforge.model.level_rules import FactCheck, meets_check
from evalforge.packs.fact_catalogue import FactKind, fact_kind

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_STEPS = 20_000
_EPSILON = 1e-6


def always_holds(check: FactCheck) -> bool:
    """Whether every value that the fact can have passes the check."""
    return all(meets_check(check.check, value) for value in _values([check]))


def can_all_hold(conditions: list[list[FactCheck]]) -> bool:
    """Whether some values of the facts meet at least one alternative of each condition.

    Args:
        conditions: Alternatives, each naming a known fact.

    Returns:
        True as well if the search is given up.
    """
    return _Search(conditions).succeeds(0)


class _Search:
    def __init__(self, conditions: list[list[FactCheck]]) -> None:
        # Conditions without alternatives come first, because they narrow the search most at no cost.
        self._conditions = sorted(conditions, key=len)
        self._chosen: dict[str, list[FactCheck]] = {}
        self._steps_left = _STEPS

    def succeeds(self, index: int) -> bool:
        if index == len(self._conditions) or self._steps_left <= 0:
            return True
        for check in self._conditions[index]:
            self._steps_left -= 1
            on_fact = self._chosen.setdefault(check.fact, [])
            on_fact.append(check)
            if _can_all_hold(on_fact) and self.succeeds(index + 1):
                return True
            on_fact.pop()
        return False


def _can_all_hold(checks: list[FactCheck]) -> bool:
    """Whether one value passes all checks on one fact."""
    return any(all(meets_check(check.check, value) for check in checks) for value in _values(checks))


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
