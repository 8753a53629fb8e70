"""Bootstrap intervals: how far a figure would move with other submissions of the same kind."""

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from evalforge.model.base import Frozen

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
