"""The figures of an evaluation, computed from its items' fields."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalforge.evaluate.evaluation import ItemResult, ItemState, StratumResult
from evalforge.evaluate.fields import AMBIGUOUS, BUILT_IN, SCORE, Field, Metric
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.plan import Plan, fields_of
from evalforge.evaluate.reconcile import CONFIDENCE, SHOULD_CLUSTER, ScoredItem
from evalforge.evaluate.sampling import StratumSample
from evalforge.evaluate.statistics import Stratum, mean, stratified_mean
from evalforge.evaluate.steps import JobKind

MIN_COVERAGE = 0.9
"""The share of the sample that must have a score."""
_HIGH_SCORE = 4.0
"""Items with at least this score count in ``pct_scoring_4plus``."""


@dataclass(frozen=True)
class Figures:
    """All figures, with the items and strata they come from. Coverage is a share, 0..1; None without a sample."""

    metrics: dict[str, float | None]
    coverage: float | None
    strata: tuple[StratumResult, ...]
    items: tuple[ItemResult, ...]
    singletons: tuple[ItemResult, ...]
    singleton_coverage: float | None


def aggregate(queue: JobQueue) -> Figures:
    """Compute the figures of all settled items."""
    plan, scored = queue.state.plan, queue.state.scored[JobKind.ITEMS]
    primary = Metric.from_name(plan.spec.judge.scoring.primary)
    items = _sample_results(queue, plan.strata, JobKind.ITEMS)
    singletons = _sample_results(queue, [plan.singletons] if plan.singletons else [], JobKind.SINGLETONS)
    return Figures(
        metrics={**item_metrics(plan, scored), **singleton_metrics(singletons)},
        coverage=scored_share(items),
        strata=tuple(_stratum_result(sample, scored, primary) for sample in plan.strata),
        items=items,
        singletons=singletons,
        singleton_coverage=scored_share(singletons),
    )


def _sample_results(queue: JobQueue, samples: Iterable[StratumSample], kind: JobKind) -> tuple[ItemResult, ...]:
    scored = queue.state.scored[kind]
    return tuple(_item_result(queue, sample.bucket, item.key, scored) for sample in samples for item in sample.items)


def metric_values(metric: Metric, scored: Iterable[ScoredItem]) -> list[float]:
    """The value each item contributes to a figure; ``ambiguous`` is treated like any other field."""
    values = (metric.value_for({**item_score.values, AMBIGUOUS: item_score.ambiguous}) for item_score in scored)
    return [value for value in values if value is not None]


def item_metrics(plan: Plan, scored: Mapping[str, ScoredItem]) -> dict[str, float | None]:
    """Compute the figures of the items that have a score, by key."""
    judge = plan.spec.judge
    primary = Metric.from_name(judge.scoring.primary)
    names = [judge.scoring.primary, *(name for name in judge.scoring.secondary if name not in BUILT_IN)]
    score_field = next((field for field in fields_of(judge) if field.name in (SCORE, primary.field)), None)
    if score_field is not None and _can_be_high(score_field):
        names.append("pct_scoring_4plus" if score_field.name == SCORE else f"pct_{score_field.name}_4plus")
    metrics = [Metric.from_name(name) for name in dict.fromkeys([*names, "ambiguous_rate"])]
    unambiguous = [item for item in scored.values() if not item.ambiguous]
    estimate = stratified_mean([
        Stratum(sample.population, tuple(metric_values(primary, _scored_items(sample, scored))))
        for sample in plan.strata
    ])  # fmt: skip
    return {
        **{metric.name: mean(metric_values(metric, scored.values())) for metric in metrics},
        f"{primary.name}_unambiguous": mean(metric_values(primary, unambiguous)),
        f"{primary.name}_stratified": estimate.mean,
        f"{primary.name}_stratified_error": estimate.error,
    }


def _can_be_high(score_field: Field) -> bool:
    low, high = score_field.low, score_field.high
    return low is not None and high is not None and low < _HIGH_SCORE <= high


def _scored_items(sample: StratumSample, scored: Mapping[str, ScoredItem]) -> list[ScoredItem]:
    return [scored[item.key] for item in sample.items if item.key in scored]


def _stratum_result(sample: StratumSample, scored: Mapping[str, ScoredItem], primary: Metric) -> StratumResult:
    scored_items = _scored_items(sample, scored)
    return StratumResult(
        bucket=sample.bucket,
        population=sample.population,
        wanted=sample.requested,
        drawn=len(sample.items),
        scored=len(scored_items),
        mean=mean(metric_values(primary, scored_items)),
    )


def _item_result(queue: JobQueue, bucket: str, key: str, scored: Mapping[str, ScoredItem]) -> ItemResult:
    item_id = queue.state.plan.items[key].item_id
    score = scored.get(key)
    if score is not None:
        return ItemResult(
            item_id=item_id, bucket=bucket, state=ItemState.SCORED, fields=score.values, ambiguous=score.ambiguous
        )
    if key in queue.state.given_up:
        reason = queue.state.given_up[key]
        return ItemResult(item_id=item_id, bucket=bucket, state=ItemState.MISSING, reason=reason)
    reason = queue.dropped.get(key, "")
    return ItemResult(item_id=item_id, bucket=bucket, state=ItemState.NOT_ASKED, reason=reason)


def scored_share(items: Sequence[ItemResult]) -> float | None:
    """The share of items that have a score, 0..1; None without items."""
    return sum(item.state is ItemState.SCORED for item in items) / len(items) if items else None


def singleton_metrics(singletons: Sequence[ItemResult]) -> dict[str, float | None]:
    """The percentage of singletons that should have been clustered, plain and weighted by the judge's confidence."""
    if not singletons:
        return {}
    answers = [item.fields for item in singletons if item.state is ItemState.SCORED]
    weights = [float(value) for answer in answers if isinstance(value := answer[CONFIDENCE], int | float)]
    misses = [100.0 * (answer[SHOULD_CLUSTER] is True) for answer in answers]
    weighted_sum = sum(weight * miss for weight, miss in zip(weights, misses, strict=True))
    return {
        "singleton_false_negative_pct": mean(misses),
        "singleton_false_negative_pct_weighted": weighted_sum / sum(weights) if weights else None,
        "singleton_mean_confidence": mean(weights),
    }
