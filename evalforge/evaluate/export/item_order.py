"""Orders items for review: first those that judges disagree on or are unsure of, then the worst."""

from collections.abc import Sequence

from evalforge.evaluate.evaluation import Evaluation, ItemResult, ItemState
from evalforge.evaluate.fields import Metric, direction_sign


def primary_value(evaluation: Evaluation, item: ItemResult) -> float | None:
    """The value an item contributes to the primary figure; None without a score."""
    return item.value_for(Metric.from_name(evaluation.primary))


def disagreement(evaluation: Evaluation, item: ItemResult) -> float:
    """The distance between several judges in the primary figure; 0 for one judge."""
    metric = Metric.from_name(evaluation.primary)
    values = [value for fields in item.by_judge.values() if (value := metric.value_for(fields)) is not None]
    return max(values) - min(values) if values else 0.0


def ordered_items(evaluation: Evaluation) -> Sequence[ItemResult]:
    """Items by how much they need review: disagreement, doubt, no score, then from the worst to the best."""
    sign = direction_sign(evaluation.direction)

    def rank(item: ItemResult) -> tuple[float, bool, bool, float]:
        value = primary_value(evaluation, item)
        is_scored = item.state is ItemState.SCORED
        return -disagreement(evaluation, item), not item.ambiguous, is_scored, sign * (value or 0.0)

    return sorted(evaluation.items, key=rank)
