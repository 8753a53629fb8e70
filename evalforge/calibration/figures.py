"""The agreement figures of a calibration, computed from judged levels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
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
from evalforge.calibration.bootstrap import Interval, percentile_interval
from evalforge.calibration.reliability import icc_3_1, ordinal_alpha
from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score
from evalforge.model.rubric import Criterion

Unit = TypeVar("Unit")


@dataclass(frozen=True)
class RatedSubmission:
    """One submission's levels from the readers and, once or several times, from the judge.

    Attributes:
        boss_id: The boss.
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
