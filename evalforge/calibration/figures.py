"""The agreement figures of a calibration, computed from judged levels."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import TypeVar

from evalforge.calibration.agreement import (
    adjacent_agreement,
    cohen_kappa,
    confusion_table,
    exact_agreement,
    mean_absolute_error,
    quadratic_kappa,
    signed_bias,
)
from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score
from evalforge.model.rubric import Criterion

# Reliability: of totals between two raters, and of one judge over repeated judgings.


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


# Bootstrap intervals: how far a figure would move with other submissions of the same kind.

RESAMPLES = 1000
_CONFIDENCE = 0.95
_SEED = 20_240_229
T = TypeVar("T")


class Interval(Frozen):
    """The range in which a figure lies with 95 % confidence."""

    low: float
    high: float


def percentile_interval(
    units: Sequence[T], figure: Callable[[Sequence[T]], float | None], resamples: int = RESAMPLES
) -> Interval | None:
    """The percentile interval of a figure, with a fixed seed.

    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13. Whole units are drawn: the
    judgements of one submission are correlated, so drawing them singly would make intervals too narrow.

    Args:
        units: The submissions.
        figure: Computes the figure from a draw of them.
        resamples: Number of draws.

    Returns:
        None with fewer than two units, or if the figure is not defined on most draws.
    """
    if len(units) < 2:
        return None
    chance = random.Random(_SEED)  # noqa: S311 - reproducible, not secret
    drawn = (figure(chance.choices(units, k=len(units))) for _ in range(resamples))
    values = sorted(value for value in drawn if value is not None)
    if 2 * len(values) <= resamples:
        return None
    if values[0] == values[-1] == 1:
        return Interval(low=perfect_lower_bound(len(units)), high=1.0)
    tail = (1 - _CONFIDENCE) / 2
    return Interval(low=_quantile(values, tail), high=_quantile(values, 1 - tail))


def perfect_lower_bound(unit_count: int) -> float:
    """The lower bound of a share that is 1 in every unit seen, where a bootstrap would claim certainty.

    It is the share at which that many units without an exception still occur in 5 % of samples (J. Hanley and
    A. Lippman-Hand, If nothing goes wrong, is everything all right?, JAMA 249, 1983): 69 % for eight units.
    """
    return (1 - _CONFIDENCE) ** (1 / unit_count)


def _quantile(values: Sequence[float], share: float) -> float:
    """Interpolate a quantile of sorted values linearly."""
    position = share * (len(values) - 1)
    lower_index = int(position)
    upper_index = min(lower_index + 1, len(values) - 1)
    return values[lower_index] + (values[upper_index] - values[lower_index]) * (position - lower_index)


Unit = TypeVar("Unit")


@dataclass(frozen=True)
class RatedSubmission:
    """One submission's levels from the readers and, once or several times, from the judge.

    Attributes:
        name: The submission.
        gold: The rank of each criterion's gold level, by criterion id.
        judged: The judge's ranks by criterion id, for each judging.
        gold_share: The gold total as a share of the boss's maximum.
        judged_shares: The judge's totals as such shares, for each judging.
        gold_passes: Whether the gold total passes.
        judged_passes: Whether the judge's total passes, for each judging.
        also: Other ranks of a criterion that are as defensible as gold.
    """

    boss_id: str
    name: str
    gold: dict[str, int]
    judged: tuple[dict[str, int], ...]
    gold_share: float
    judged_shares: tuple[float, ...]
    gold_passes: bool
    judged_passes: tuple[bool, ...]
    also: Mapping[str, frozenset[int]] = field(default_factory=dict[str, frozenset[int]])

    def pairs(self, criterion: str = "") -> list[tuple[int, int]]:
        """Pair gold and judged ranks, of one criterion or of all."""
        names = [criterion] if criterion else list(self.gold)
        return [(self.gold[name], levels[name]) for levels in self.judged for name in names]

    @property
    def defensible(self) -> list[bool]:
        """Whether each judged rank is gold, or equally defensible."""
        return [
            levels[name] in {gold, *self.also.get(name, ())}
            for levels in self.judged
            for name, gold in self.gold.items()
        ]


class Figure(Frozen):
    """One figure and its interval; a value of None is *not applicable*."""

    value: float | None
    interval: Interval | None = None


class CriterionFigures(Frozen):
    """Agreement on one criterion. ``confusion`` has gold levels as rows, judged ones as columns."""

    boss_id: str
    criterion_id: str
    label: str
    levels: tuple[Score, ...]
    confusion: tuple[tuple[int, ...], ...]
    exact: Figure
    adjacent: Figure
    quadratic_kappa: Figure
    bias: Figure
    alpha: Figure


class OverallFigures(Frozen):
    """Agreement over all criteria, on the verdict and on totals, of some submissions.

    ``exact`` to ``bias`` are over single judgements, in levels, and ``defensible`` counts levels that a reader found as
    defensible as gold as well; ``pass_*`` are over pass or fail; ``total_*`` over totals as shares of the maximum;
    ``alpha`` and ``pass_flips`` compare repeated judgings of the same submission.
    """

    submissions: int
    judgements: int
    exact: Figure
    defensible: Figure
    adjacent: Figure
    quadratic_kappa: Figure
    bias: Figure
    pass_agreement: Figure
    pass_kappa: Figure
    passing: Figure
    total_icc: Figure
    total_error: Figure
    total_bias: Figure
    alpha: Figure
    pass_flips: Figure


def criterion_figures(rated: Sequence[RatedSubmission], boss_id: str, criterion: Criterion) -> CriterionFigures:
    """Compute the figures of one criterion of one boss."""
    levels = tuple(level.score for level in criterion.levels)

    def pairs(units: Sequence[RatedSubmission]) -> list[tuple[int, int]]:
        return [pair for unit in units for pair in unit.pairs(criterion.id)]

    return CriterionFigures(
        boss_id=boss_id,
        criterion_id=criterion.id,
        label=criterion.label,
        levels=levels,
        confusion=confusion_table(pairs(rated), len(levels)),
        exact=figure_of(rated, lambda units: exact_agreement(pairs(units))),
        adjacent=figure_of(rated, lambda units: adjacent_agreement(pairs(units))),
        quadratic_kappa=figure_of(rated, lambda units: quadratic_kappa(pairs(units))),
        bias=figure_of(rated, lambda units: signed_bias(pairs(units))),
        alpha=Figure(value=ordinal_alpha([[scores[criterion.id] for scores in unit.judged] for unit in rated])),
    )


def overall_figures(rated: Sequence[RatedSubmission]) -> OverallFigures:
    """Compute the figures of some submissions, of one boss or of many."""
    return OverallFigures(
        submissions=len(rated),
        judgements=len(_pairs(rated)),
        exact=figure_of(rated, lambda units: exact_agreement(_pairs(units))),
        defensible=figure_of(rated, _defensible_share),
        adjacent=figure_of(rated, lambda units: adjacent_agreement(_pairs(units))),
        quadratic_kappa=figure_of(rated, lambda units: quadratic_kappa(_pairs(units))),
        bias=figure_of(rated, lambda units: signed_bias(_pairs(units))),
        pass_agreement=figure_of(rated, lambda units: exact_agreement(_passes(units))),
        pass_kappa=figure_of(rated, lambda units: cohen_kappa(_passes(units))),
        passing=Figure(value=sum(unit.gold_passes for unit in rated) / len(rated) if rated else None),
        total_icc=figure_of(rated, lambda units: icc_3_1(_totals(units))),
        total_error=figure_of(rated, lambda units: mean_absolute_error(_totals(units))),
        total_bias=figure_of(rated, lambda units: signed_bias(_totals(units))),
        alpha=Figure(
            value=ordinal_alpha([[levels[name] for levels in unit.judged] for unit in rated for name in unit.gold])
        ),
        pass_flips=Figure(value=_flips(rated)),
    )


def figure_of(units: Sequence[Unit], compute: Callable[[Sequence[Unit]], float | None]) -> Figure:
    """Compute a figure of some units, and its interval from resampling them."""
    value = compute(units)
    return Figure(value=value, interval=None if value is None else percentile_interval(units, compute))


def _pairs(units: Sequence[RatedSubmission]) -> list[tuple[int, int]]:
    return [pair for unit in units for pair in unit.pairs()]


def _defensible_share(units: Sequence[RatedSubmission]) -> float | None:
    answers = [answer for unit in units for answer in unit.defensible]
    return sum(answers) / len(answers) if answers else None


def _passes(units: Sequence[RatedSubmission]) -> list[tuple[bool, bool]]:
    return [(unit.gold_passes, passes) for unit in units for passes in unit.judged_passes]


def _totals(units: Sequence[RatedSubmission]) -> list[tuple[float, float]]:
    return [(unit.gold_share, share) for unit in units for share in unit.judged_shares]


def _flips(rated: Sequence[RatedSubmission]) -> float | None:
    """The share of consecutive judgings of one submission whose pass or fail differs."""
    steps = [earlier != later for unit in rated for earlier, later in pairwise(unit.judged_passes)]
    return sum(steps) / len(steps) if steps else None
