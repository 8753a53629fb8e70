"""The order of advice: what has to come before everything else, then what is worth the most."""

from collections.abc import Iterable

from evalforge.evidence.conditions import asks_for_less
from evalforge.evidence.earned_levels import EarnedLevel, FailedCondition
from evalforge.model.exact_numbers import to_fraction

LevelFailure = tuple[EarnedLevel, FailedCondition]
"""A level, and one of the conditions that keep it from the next."""


def in_order(levels: Iterable[EarnedLevel]) -> list[LevelFailure]:
    """All failed conditions in the order in which to advise on them.

    Syntax errors come first, then what ended most trials: nothing else can be tried until they are fixed. Then the
    first condition of each level comes before the second of any: the most points first, then what asks for the fewest
    changes, then what lacks most.
    """
    by_worth = sorted(
        ((index, level, failure) for level in levels for index, failure in enumerate(level.failures)),
        key=lambda entry: (_urgency(entry[2]), entry[0], *_worth_first(entry[1], entry[2])),
    )
    return [(level, failure) for _, level, failure in by_worth]


def score_share(level: EarnedLevel) -> float:
    """The level's score as a share of the criterion's maximum, 0 to 1."""
    highest = to_fraction(level.criterion.max_score)
    return float(to_fraction(level.level.score) / highest) if highest else 1.0


def gain(level: EarnedLevel, failure: FailedCondition) -> float:
    """The points that a criterion gains at the level whose condition failed."""
    return float(to_fraction(failure.level.score) - to_fraction(level.level.score))


def _urgency(failure: FailedCondition) -> int:
    return 0 if _is_about_syntax(failure) else 1 if failure.is_ending else 2


def _is_about_syntax(failure: FailedCondition) -> bool:
    # As an alternative "more than 0" is part of conditions that say nothing where Python can't read the code.
    return any(check.fact == "code.syntax_errors" and asks_for_less(check.check) for check in failure.condition.checks)


def _worth_first(level: EarnedLevel, failure: FailedCondition) -> tuple[float, int, float]:
    return -gain(level, failure), len(level.failures), -_weighted_missing_share(level)


def _weighted_missing_share(level: EarnedLevel) -> float:
    missing = 1 - score_share(level)
    return missing * (level.criterion.weight if level.criterion.weight is not None else 1.0)
