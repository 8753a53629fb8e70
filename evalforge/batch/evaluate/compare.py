"""Two evaluations with the same instrument, item by item: better, worse, or not to be told apart."""

from enum import StrEnum
from typing import Literal

from evalforge.batch.evaluate.fields import AMBIGUOUS, Direction, Metric, sign_of
from evalforge.batch.evaluate.items import key_of
from evalforge.batch.evaluate.result import MOST_AMBIGUOUS, Evaluation, ItemResult, ItemState, Outcome
from evalforge.batch.evaluate.statistics import Difference, mean, paired
from evalforge.model.base import Frozen
from evalforge.model.errors import UsageError

_FEWEST_PAIRS = 2


class Verdict(StrEnum):
    """What a comparison says."""

    IMPROVED = "improved"
    REGRESSED = "regressed"
    INCONCLUSIVE = "inconclusive"


class Comparison(Frozen):
    """What changed from one evaluation to another.

    Attributes:
        before: The first one's name.
        after: The second one's.
        primary: The figure that is compared.
        direction: Whether more or less of it is better.
        verdict: What it comes to.
        reasons: Why.
        pairs: How many items have a score in both.
        only_before: How many have one in the first alone.
        only_after: How many have one in the second alone.
        before_mean: The figure over the pairs, before.
        after_mean: And after.
        difference: How much more it is after.
        low: Where that lies with 95 % confidence: from here
        high: to here; None with fewer than two pairs.
        minimum_improvement: What it must exceed to count.
        better: Pairs that gained.
        worse: Pairs that lost.
        metrics: Every figure both have, before and after.
    """

    kind: Literal["comparison"] = "comparison"
    before: str
    after: str
    rubric_hash: str
    primary: str
    direction: Direction
    verdict: Verdict
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
    """Compare two evaluations on the items both have scored.

    Raises:
        UsageError: They can't be compared: another rubric, another figure, or one of them has no scores.
    """
    _comparable(before, after)
    metric = Metric.named(after.primary)
    one, two = _values(before, metric), _values(after, metric)
    common = [key for key in one if key in two]
    pairs = [(one[key], two[key]) for key in common]
    found = paired([a for a, _ in pairs], [b for _, b in pairs])
    sign = sign_of(after.direction)
    verdict, reasons = _verdict(found, sign, after.minimum_improvement, _doubts(before, after))
    return Comparison(
        before=before.id,
        after=after.id,
        rubric_hash=after.rubric_hash,
        primary=after.primary,
        direction=after.direction,
        verdict=verdict,
        reasons=reasons,
        pairs=len(pairs),
        only_before=len(one) - len(pairs),
        only_after=len(two) - len(pairs),
        before_mean=mean([a for a, _ in pairs]),
        after_mean=mean([b for _, b in pairs]),
        difference=found.mean if found else None,
        low=found.low if found else None,
        high=found.high if found else None,
        minimum_improvement=after.minimum_improvement,
        better=sum(sign * (b - a) > 0 for a, b in pairs),
        worse=sum(sign * (b - a) < 0 for a, b in pairs),
        metrics={
            name: (before.metrics[name], value) for name, value in after.metrics.items() if name in before.metrics
        },
    )


def _comparable(before: Evaluation, after: Evaluation) -> None:
    for one in (before, after):
        if one.outcome is not Outcome.JUDGED:
            raise UsageError(
                f"{one.id} has no scores to compare: it ended as {one.outcome.value}.", one.reason or one.advice
            )
    if before.rubric_hash != after.rubric_hash:
        raise UsageError(
            f"{before.id} and {after.id} were judged by different rubrics ({before.rubric_hash} and "
            f"{after.rubric_hash}), so their scores can't be compared.",
            "Judge both by one rubric.",
        )
    if before.primary != after.primary or before.direction != after.direction:
        raise UsageError(f"{before.id} is about {before.primary}, {after.id} about {after.primary}.")


def _values(evaluation: Evaluation, metric: Metric) -> dict[str, float]:
    found = {key_of(item.item_id): _value(item, metric) for item in evaluation.items}
    return {key: value for key, value in found.items() if value is not None}


def _value(item: ItemResult, metric: Metric) -> float | None:
    if item.state is not ItemState.SCORED:
        return None
    return metric.of({**item.fields, AMBIGUOUS: item.ambiguous})


def _doubts(before: Evaluation, after: Evaluation) -> list[str]:
    """What keeps any difference from being believed, however large."""
    doubts: list[str] = []
    for one in (before, after):
        rate = one.metrics.get("ambiguous_rate")
        if rate is not None and rate > MOST_AMBIGUOUS:
            doubts.append(f"the judge was unsure of {rate:.0%} of the items of {one.id}")
    one, two = before.instrument, after.instrument
    if one.model != two.model:
        doubts.append(f"different models judged: {one.model} and {two.model}")
    if one.prompt_hash != two.prompt_hash:
        doubts.append("the words around the rubric have changed")
    return doubts


def _verdict(
    found: Difference | None, sign: float, threshold: float, doubts: list[str]
) -> tuple[Verdict, tuple[str, ...]]:
    if found is None or found.pairs < _FEWEST_PAIRS or found.low is None or found.high is None:
        return Verdict.INCONCLUSIVE, (f"fewer than {_FEWEST_PAIRS} items have a score in both", *doubts)
    gain = sign * found.mean
    certain = min(sign * found.low, sign * found.high) > 0 or max(sign * found.low, sign * found.high) < 0
    reasons = list(doubts)
    if abs(gain) <= threshold:
        reasons.append(f"the difference doesn't exceed {threshold:g}")
    if not certain:
        reasons.append("it may be noise: with 95 % confidence it could as well be none")
    if reasons:
        return Verdict.INCONCLUSIVE, tuple(reasons)
    exceeds = f"the difference exceeds {threshold:g}, and the noise"
    return (Verdict.IMPROVED if gain > 0 else Verdict.REGRESSED), (exceeds,)
