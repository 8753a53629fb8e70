"""Reliability: of totals between two raters, and of one judge over repeated judgings."""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate


def icc_3_1(rows: Sequence[Sequence[float]]) -> float | None:
    """The intraclass correlation ICC(3,1): fixed raters, single ratings, consistency.

    P. E. Shrout and J. L. Fleiss, Intraclass correlations: uses in assessing rater reliability, Psychological Bulletin
    86 (1979): (BMS - EMS) / (BMS + (k - 1) EMS) from a two-way analysis of variance.

    Args:
        rows: One row for each unit rated, with one value per rater.

    Returns:
        None with fewer than two units or raters, or if a rater is constant.
    """
    unit_count, raters = len(rows), len(rows[0]) if rows else 0
    if unit_count < 2 or raters < 2 or any(len({row[rater] for row in rows}) == 1 for rater in range(raters)):
        return None
    grand = sum(map(sum, rows)) / (unit_count * raters)
    unit_means = [sum(row) / raters for row in rows]
    rater_means = [sum(row[rater] for row in rows) / unit_count for rater in range(raters)]
    between = raters * sum((mean - grand) ** 2 for mean in unit_means) / (unit_count - 1)
    residual = sum(
        (value - unit_means[unit_index] - rater_means[rater] + grand) ** 2
        for unit_index, row in enumerate(rows)
        for rater, value in enumerate(row)
    ) / ((unit_count - 1) * (raters - 1))
    spread = between + (raters - 1) * residual
    return (between - residual) / spread


def ordinal_alpha(units: Sequence[Sequence[int]]) -> float | None:
    """Krippendorff's alpha for ranks, with any number of ratings of each unit.

    K. Krippendorff, Computing Krippendorff's alpha-reliability (2011): one minus observed over expected disagreement;
    the distance of two ranks is the number of ratings between them plus half of their own, squared.

    Args:
        units: The ranks each unit was given; units with fewer than two are skipped.

    Returns:
        None if fewer than two ratings can be paired, or all ratings are the same.
    """
    paired = [unit for unit in units if len(unit) > 1]
    counts = Counter(rank for unit in paired for rank in unit)
    if len(counts) < 2:
        return None
    distance = _Distance(counts)
    total = sum(counts.values())
    observed = sum(
        distance(value, other) * times * other_count / (len(unit) - 1)
        for unit in paired
        for value, times in Counter(unit).items()
        for other, other_count in Counter(unit).items()
    )
    expected = sum(
        distance(value, other) * times * other_count
        for value, times in counts.items()
        for other, other_count in counts.items()
    ) / (total - 1)
    return 1 - observed / expected


class _Distance:
    """The squared distance of two ranks, based on how often each rank was given."""

    def __init__(self, counts: Counter[int]) -> None:
        ranks = sorted(counts)
        up_to = accumulate(counts[rank] for rank in ranks)
        self._middle = {rank: end - counts[rank] / 2 for rank, end in zip(ranks, up_to, strict=True)}

    def __call__(self, one: int, other: int) -> float:
        return (self._middle[one] - self._middle[other]) ** 2
