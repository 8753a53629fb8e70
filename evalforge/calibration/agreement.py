"""Agreement of two raters on the same things, as plain functions of pairs.

A pair is (what the readers say, what the judge says). Levels are given by rank (0 for a criterion's lowest), because a
level is a step, whatever points it carries. A figure that is not defined is None: without pairs, and, if it corrects
for chance, also where a rater is constant, so that there is no chance to correct for.
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction

Pairs = Sequence[tuple[int, int]]


def exact_agreement(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """The share of pairs that are the same."""
    return _share([gold == given for gold, given in pairs])


def adjacent_agreement(pairs: Pairs) -> float | None:
    """The share of pairs at most one step apart."""
    return _share([abs(gold - given) <= 1 for gold, given in pairs])


def signed_bias(pairs: Sequence[tuple[float, float]]) -> float | None:
    """How much higher the judge is on average: above 0 it is lenient."""
    return sum(given - gold for gold, given in pairs) / len(pairs) if pairs else None


def mean_absolute_error(pairs: Sequence[tuple[float, float]]) -> float | None:
    """How far off the judge is on average."""
    return sum(abs(given - gold) for gold, given in pairs) / len(pairs) if pairs else None


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Agreement beyond chance on categories without an order.

    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960).
    """
    golds, givens = [gold for gold, _ in pairs], [given for _, given in pairs]
    if _constant(golds) or _constant(givens):
        return None
    count = len(pairs)
    observed = Fraction(sum(gold == given for gold, given in pairs), count)
    by_chance = Fraction(sum(golds.count(each) * givens.count(each) for each in set(golds)), count * count)
    return float((observed - by_chance) / (1 - by_chance))


def quadratic_kappa(pairs: Pairs) -> float | None:
    """Agreement beyond chance on steps: being off by two weighs four times as much as by one.

    J. Cohen, Weighted kappa, Psychological Bulletin 70 (1968). One minus the mean squared difference of the pairs over
    that of all pairings of one rater's values with the other's; the square of the number of steps, by which both are
    usually divided, cancels.
    """
    golds, givens = [gold for gold, _ in pairs], [given for _, given in pairs]
    if _constant(golds) or _constant(givens):
        return None
    count = len(pairs)
    observed = Fraction(sum((gold - given) ** 2 for gold, given in pairs), count)
    squares = sum(gold * gold for gold in golds) + sum(given * given for given in givens)
    by_chance = Fraction(squares, count) - Fraction(2 * sum(golds) * sum(givens), count * count)
    return float(1 - observed / by_chance)


def confusion_table(pairs: Pairs, steps: int) -> tuple[tuple[int, ...], ...]:
    """How often each gold level (row) was judged as each level (column)."""
    table = [[0] * steps for _ in range(steps)]
    for gold, given in pairs:
        table[gold][given] += 1
    return tuple(tuple(row) for row in table)


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def _constant(values: Sequence[Hashable]) -> bool:
    return len(set(values)) < 2
