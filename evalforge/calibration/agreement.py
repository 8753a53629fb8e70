"""Agreement of two raters on the same things, as plain functions of pairs.

A pair is (what the readers say, what the judge says). Levels are given by rank (0 for a criterion's lowest), because a
level is a step, whatever points it carries. A figure is None if it is not defined: without pairs and, if it corrects
for chance, also where a rater is constant, so that there is no chance to correct for.
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction

Pairs = Sequence[tuple[int, int]]


def exact_agreement(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Return the share of pairs whose two sides are equal."""
    return _share([gold == judged for gold, judged in pairs])


def adjacent_agreement(pairs: Pairs) -> float | None:
    """Return the share of pairs at most one step apart."""
    return _share([abs(gold - judged) <= 1 for gold, judged in pairs])


def signed_bias(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return how much higher the judge is on average: above 0 it is lenient."""
    return sum(judged - gold for gold, judged in pairs) / len(pairs) if pairs else None


def mean_absolute_error(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return the judge's mean distance from the readers."""
    return sum(abs(judged - gold) for gold, judged in pairs) / len(pairs) if pairs else None


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Agreement beyond chance on categories without an order.

    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960).
    """
    golds, judged_scores = [gold for gold, _ in pairs], [judged for _, judged in pairs]
    if _constant(golds) or _constant(judged_scores):
        return None
    count = len(pairs)
    observed = Fraction(sum(gold == judged for gold, judged in pairs), count)
    by_chance = Fraction(sum(golds.count(level) * judged_scores.count(level) for level in set(golds)), count * count)
    return float((observed - by_chance) / (1 - by_chance))


def quadratic_kappa(pairs: Pairs) -> float | None:
    """Agreement beyond chance on steps: being off by two weighs four times as much as by one.

    J. Cohen, Weighted kappa, Psychological Bulletin 70 (1968). One minus the mean squared difference of the pairs over
    that of all pairings of one rater's values with the other's; the square of the number of steps, by which both are
    usually divided, cancels.
    """
    golds, judged_scores = [gold for gold, _ in pairs], [judged for _, judged in pairs]
    if _constant(golds) or _constant(judged_scores):
        return None
    count = len(pairs)
    observed = Fraction(sum((gold - judged) ** 2 for gold, judged in pairs), count)
    squares = sum(gold * gold for gold in golds) + sum(judged * judged for judged in judged_scores)
    by_chance = Fraction(squares, count) - Fraction(2 * sum(golds) * sum(judged_scores), count * count)
    return float(1 - observed / by_chance)


def confusion_table(pairs: Pairs, steps: int) -> tuple[tuple[int, ...], ...]:
    """How often each gold level (row) was judged as each level (column)."""
    table = [[0] * steps for _ in range(steps)]
    for gold, judged in pairs:
        table[gold][judged] += 1
    return tuple(tuple(row) for row in table)


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def _constant(values: Sequence[Hashable]) -> bool:
    return len(set(values)) < 2
