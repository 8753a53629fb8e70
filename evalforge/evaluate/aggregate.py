"""The figures of an evaluation, computed from its items' fields."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalforge.evaluate.evaluation import ItemResult, ItemState, StratumResult
from evalforge.evaluate.fields import BUILT_IN, SCORE, Metric
from evalforge.evaluate.items import Item, key_of
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.plan import Plan, fields_of
from evalforge.evaluate.reconcile import CONFIDENCE, SHOULD_CLUSTER
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

    @property
    def lowest_coverage(self) -> float:
        """The lower coverage of items and singletons; 0 without either."""
        shares = [share for share in (self.coverage, self.singleton_coverage) if share is not None]
        return min(shares, default=0.0)


def judge_figures(queue: JobQueue) -> Figures:
    """Compute the figures of everything one judge has settled."""
    plan = queue.state.plan
    items = _sample_results(queue, plan.strata, JobKind.ITEMS)
    singletons = _sample_results(queue, plan.singletons, JobKind.SINGLETONS)
    return figures_of(plan, items, singletons)


def figures_of(plan: Plan, items: tuple[ItemResult, ...], singletons: tuple[ItemResult, ...]) -> Figures:
    """Compute the figures of a plan's items and singletons."""
    scored = {key_of(item.item_id): item for item in items if item.state is ItemState.SCORED}
    samples = [(sample, [scored[item.key] for item in sample.items if item.key in scored]) for sample in plan.strata]
    return Figures(
        metrics={**_item_metrics(plan, list(scored.values()), samples), **_singleton_metrics(singletons)},
        coverage=_scored_share(items),
        strata=tuple(_stratum_result(plan, sample, scored_items) for sample, scored_items in samples),
        items=items,
        singletons=singletons,
        singleton_coverage=_scored_share(singletons),
    )


def _sample_results(queue: JobQueue, samples: Iterable[StratumSample], kind: JobKind) -> tuple[ItemResult, ...]:
    return tuple(_item_result(queue, sample.bucket, item, kind) for sample in samples for item in sample.items)


def _item_result(queue: JobQueue, bucket: str, item: Item, kind: JobKind) -> ItemResult:
    score = queue.state.scored[kind].get(item.key)
    if score is not None:
        fields, is_ambiguous = score.values, score.ambiguous
        return ItemResult(
            item_id=item.item_id, bucket=bucket, state=ItemState.SCORED, fields=fields, ambiguous=is_ambiguous
        )
    given_up = queue.state.given_up
    state = ItemState.MISSING if item.key in given_up else ItemState.NOT_ASKED
    reason = given_up.get(item.key) or queue.dropped.get(item.key, "")
    return ItemResult(item_id=item.item_id, bucket=bucket, state=state, reason=reason)


def _metric_values(metric: Metric, scored_items: Iterable[ItemResult]) -> list[float]:
    return [value for item in scored_items if (value := item.value_for(metric)) is not None]


def _item_metrics(
    plan: Plan, scored_items: Sequence[ItemResult], samples: Iterable[tuple[StratumSample, Sequence[ItemResult]]]
) -> dict[str, float | None]:
    judge = plan.spec.judge
    primary = Metric.from_name(judge.scoring.primary)
    names = [judge.scoring.primary, *(name for name in judge.scoring.secondary if name not in BUILT_IN)]
    score_field = next((field for field in fields_of(judge) if field.name in (SCORE, primary.field)), None)
    low, high = (score_field.low, score_field.high) if score_field else (None, None)
    if score_field is not None and low is not None and high is not None and low < _HIGH_SCORE <= high:
        names.append("pct_scoring_4plus" if score_field.name == SCORE else f"pct_{score_field.name}_4plus")
    metrics = [Metric.from_name(name) for name in dict.fromkeys([*names, "ambiguous_rate"])]
    unambiguous = [item for item in scored_items if not item.ambiguous]
    estimate = stratified_mean([
        Stratum(sample.population, tuple(_metric_values(primary, items))) for sample, items in samples
    ])  # fmt: skip
    return {
        **{metric.name: mean(_metric_values(metric, scored_items)) for metric in metrics},
        f"{primary.name}_unambiguous": mean(_metric_values(primary, unambiguous)),
        f"{primary.name}_stratified": estimate.mean,
        f"{primary.name}_stratified_error": estimate.error,
    }


def _stratum_result(plan: Plan, sample: StratumSample, scored_items: Sequence[ItemResult]) -> StratumResult:
    return StratumResult(
        bucket=sample.bucket,
        population=sample.population,
        wanted=sample.requested,
        drawn=len(sample.items),
        scored=len(scored_items),
        mean=mean(_metric_values(Metric.from_name(plan.spec.judge.scoring.primary), scored_items)),
    )


def _scored_share(items: Sequence[ItemResult]) -> float | None:
    return sum(item.state is ItemState.SCORED for item in items) / len(items) if items else None


def _singleton_metrics(singletons: Sequence[ItemResult]) -> dict[str, float | None]:
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
