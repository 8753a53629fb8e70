"""Compares two evaluations by the same rubric, item by item: improved, regressed, or inconclusive."""

from enum import StrEnum
from typing import Literal

from evalforge.evaluate.evaluation import MAX_AMBIGUOUS_RATE, Evaluation, EvaluationOutcome
from evalforge.evaluate.fields import Direction, Metric, direction_sign
from evalforge.evaluate.items import key_of
from evalforge.evaluate.statistics import Difference, mean, paired_difference
from evalforge.model.base import Frozen
from evalforge.model.errors import UsageError

_MIN_PAIRS = 2


class ComparisonVerdict(StrEnum):
    """Whether the primary figure of an evaluation improved."""

    IMPROVED = "improved"
    REGRESSED = "regressed"
    INCONCLUSIVE = "inconclusive"


class Comparison(Frozen):
    """The changes from one evaluation to another.

    Attributes:
        pairs: Number of items with a score in both.
        before_mean: The figure over the pairs in the first.
        difference: The second figure minus the first.
        low: The lower end of the difference's 95 % confidence interval.
        high: The upper end; None with fewer than two pairs.
        minimum_improvement: The difference must exceed this to count.
    """

    kind: Literal["comparison"] = "comparison"
    before: str
    after: str
    rubric_hash: str
    primary: str
    direction: Direction
    verdict: ComparisonVerdict
    reasons: tuple[str, ...]
    pairs: int
    only_before: int
    only_after: int
    before_mean: float | None
    after_mean: float | None
    difference: float | None
    low: float | None
    high: float | None
    minimum_improvement: float
    better: int
    worse: int
    metrics: dict[str, tuple[float | None, float | None]]


def compare(before: Evaluation, after: Evaluation) -> Comparison:
    """Compare two evaluations on the items that have a score in both.

    Raises:
        UsageError: Their rubrics or figures differ, or one of them has no scores.
    """
    _check_comparable(before, after)
    metric = Metric.from_name(after.primary)
    old_values, new_values = _values_by_item(before, metric), _values_by_item(after, metric)
    pairs = [(value, new_values[key]) for key, value in old_values.items() if key in new_values]
    difference = paired_difference([old for old, _ in pairs], [new for _, new in pairs])
    sign = direction_sign(after.direction)
    minimum = max(after.minimum_improvement, after.noise_threshold)
    verdict, reasons = _verdict(difference, sign, minimum, _doubts(before, after))
    return Comparison(
        before=before.id,
        after=after.id,
        rubric_hash=after.rubric_hash,
        primary=after.primary,
        direction=after.direction,
        verdict=verdict,
        reasons=reasons,
        pairs=len(pairs),
        only_before=len(old_values) - len(pairs),
        only_after=len(new_values) - len(pairs),
        before_mean=mean([old for old, _ in pairs]),
        after_mean=mean([new for _, new in pairs]),
        difference=difference.mean if difference else None,
        low=difference.low if difference else None,
        high=difference.high if difference else None,
        minimum_improvement=minimum,
        better=sum(sign * (new - old) > 0 for old, new in pairs),
        worse=sum(sign * (new - old) < 0 for old, new in pairs),
        metrics={
            name: (before.metrics[name], value) for name, value in after.metrics.items() if name in before.metrics
        },
    )


def _check_comparable(before: Evaluation, after: Evaluation) -> None:
    for evaluation in (before, after):
        if evaluation.outcome is not EvaluationOutcome.JUDGED:
            raise UsageError(
                f"{evaluation.id} has no scores to compare: its outcome is {evaluation.outcome.value}.",
                evaluation.reason or evaluation.advice,
            )
    if before.rubric_hash != after.rubric_hash:
        raise UsageError(
            f"{before.id} and {after.id} were judged by different rubrics ({before.rubric_hash} and "
            f"{after.rubric_hash}), so their scores can't be compared.",
            "Judge both by one rubric.",
        )
    if before.primary != after.primary or before.direction != after.direction:
        raise UsageError(f"{before.id} is about {before.primary}, {after.id} about {after.primary}.")


def _values_by_item(evaluation: Evaluation, metric: Metric) -> dict[str, float]:
    return {key_of(item.item_id): value for item in evaluation.items if (value := item.value_for(metric)) is not None}


def _doubts(before: Evaluation, after: Evaluation) -> list[str]:
    """Reasons to distrust any difference, however large."""
    doubts: list[str] = []
    for evaluation in (before, after):
        rate = evaluation.metrics.get("ambiguous_rate")
        if rate is not None and rate > MAX_AMBIGUOUS_RATE:
            doubts.append(f"the judge was unsure of {rate:.0%} of the items of {evaluation.id}")
    old, new = before.instrument, after.instrument
    if old.model != new.model:
        doubts.append(f"different models judged: {old.model} and {new.model}")
    if old.prompt_hash != new.prompt_hash:
        doubts.append("the words around the rubric have changed")
    return doubts


def _verdict(
    difference: Difference | None, sign: float, minimum_improvement: float, doubts: list[str]
) -> tuple[ComparisonVerdict, tuple[str, ...]]:
    if difference is None or difference.pairs < _MIN_PAIRS or difference.low is None or difference.high is None:
        return ComparisonVerdict.INCONCLUSIVE, (f"fewer than {_MIN_PAIRS} items have a score in both", *doubts)
    gain = sign * difference.mean
    is_certain = min(difference.low, difference.high) > 0 or max(difference.low, difference.high) < 0
    reasons = list(doubts)
    if abs(gain) <= minimum_improvement:
        reasons.append(f"the difference doesn't exceed {minimum_improvement:g}")
    if not is_certain:
        reasons.append("it may be noise: the 95 % interval includes no difference")
    if reasons:
        return ComparisonVerdict.INCONCLUSIVE, tuple(reasons)
    exceeds = f"the difference exceeds {minimum_improvement:g} and the noise"
    return (ComparisonVerdict.IMPROVED if gain > 0 else ComparisonVerdict.REGRESSED), (exceeds,)
