"""How far several judges agree on the same items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from evalforge.evaluate.evaluation import ItemResult
from evalforge.evaluate.fields import Metric


@dataclass(frozen=True)
class Agreement:
    """The agreement of judges on the items that at least two of them scored.

    Attributes:
        pairs: The number of pairs of judges and items compared.
        exact: The share of pairs with the same value.
        within_one: The share of pairs at most 1 apart.
        alpha: Krippendorff's alpha for interval data; None if all values are the same.
    """

    pairs: int
    exact: float
    within_one: float
    alpha: float | None


def judge_agreement(items: Iterable[ItemResult], primary: str) -> Agreement | None:
    """The agreement in the primary figure's field; None if no item has two judges."""
    metric = Metric.from_name(primary)
    field = Metric.from_name(metric.field)
    units: list[list[float]] = []
    for item in items:
        values = [value for fields in item.by_judge.values() if (value := field.value_for(fields)) is not None]
        if len(values) > 1:
            units.append(values)
    differences = [abs(one - other) for unit in units for one, other in combinations(unit, 2)]
    if not differences:
        return None
    count = len(differences)
    return Agreement(
        pairs=count,
        exact=sum(difference == 0 for difference in differences) / count,
        within_one=sum(difference <= 1 for difference in differences) / count,
        alpha=interval_alpha(units),
    )


def interval_alpha(units: Sequence[Sequence[float]]) -> float | None:
    """Krippendorff's alpha with the squared difference, over units of two or more values.

    K. Krippendorff, Content Analysis (3rd ed., 2013), chapter 12: 1 - observed / expected disagreement. 1 is
    perfect agreement and 0 is what chance alone gives.
    """
    values = [value for unit in units for value in unit]
    total = len(values)
    observed = sum(_squared_differences(unit) / (len(unit) - 1) for unit in units) / total
    expected = _squared_differences(values) / (total * (total - 1))
    return None if expected == 0 else 1 - observed / expected


def _squared_differences(values: Sequence[float]) -> float:
    """The sum over all ordered pairs, in linear time: 2 n times the sum of squares minus twice the squared sum."""
    return 2 * (len(values) * sum(value * value for value in values) - sum(values) ** 2)
