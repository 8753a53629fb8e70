"""From the items' fields to the figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalforge.batch.evaluate.desk import Desk
from evalforge.batch.evaluate.fields import AMBIGUOUS, BUILT_IN, SCORE, Metric
from evalforge.batch.evaluate.plan import Plan, fields_of
from evalforge.batch.evaluate.reconcile import CONFIDENCE, SHOULD, Scored
from evalforge.batch.evaluate.result import ItemResult, ItemState, StratumResult
from evalforge.batch.evaluate.sampling import Drawn
from evalforge.batch.evaluate.statistics import Stratum, mean, stratified
from evalforge.batch.evaluate.steps import Kind

MIN_COVERAGE = 0.9
"""The share of the sample that must have a score."""
_HIGH = 4.0


@dataclass(frozen=True)
class Figures:
    """All figures, and the items and strata behind them."""

    metrics: dict[str, float | None]
    coverage: float | None
    strata: tuple[StratumResult, ...]
    items: tuple[ItemResult, ...]
    singletons: tuple[ItemResult, ...]
    singleton_coverage: float | None


def aggregate(desk: Desk) -> Figures:
    """The figures of what is settled so far."""
    plan, scored = desk.plan, desk.scored[Kind.ITEMS]
    primary = Metric.named(plan.spec.judge.scoring.primary)
    strata = tuple(_stratum(drawn, scored, primary) for drawn in plan.strata)
    items = tuple(_item(desk, drawn.bucket, item.key, scored) for drawn in plan.strata for item in drawn.items)
    single = desk.scored[Kind.SINGLETONS]
    drawn = plan.singletons.items if plan.singletons else ()
    singletons = tuple(_item(desk, plan.singletons.bucket if plan.singletons else "", i.key, single) for i in drawn)
    return Figures(
        metrics={**_item_metrics(plan, scored), **_singleton_metrics(singletons)},
        coverage=_share(items),
        strata=strata,
        items=items,
        singletons=singletons,
        singleton_coverage=_share(singletons),
    )


def values_of(metric: Metric, scored: Iterable[Scored]) -> list[float]:
    """What each item gives to a figure; ``ambiguous`` is a field like any other here."""
    given = (metric.of({**one.values, AMBIGUOUS: one.ambiguous}) for one in scored)
    return [value for value in given if value is not None]


def _item_metrics(plan: Plan, scored: Mapping[str, Scored]) -> dict[str, float | None]:
    judge = plan.spec.judge
    primary = Metric.named(judge.scoring.primary)
    names = [judge.scoring.primary, *(name for name in judge.scoring.secondary if name not in BUILT_IN)]
    score = next((field for field in fields_of(judge) if field.name in (SCORE, primary.field)), None)
    if score is not None and score.high is not None and score.low is not None and score.low < _HIGH <= score.high:
        names.append("pct_scoring_4plus" if score.name == SCORE else f"pct_{score.name}_4plus")
    named = [Metric.named(name) for name in dict.fromkeys([*names, "ambiguous_rate"])]
    sure = [one for one in scored.values() if not one.ambiguous]
    estimate = stratified([
        Stratum(drawn.population, tuple(values_of(primary, _of(drawn, scored)))) for drawn in plan.strata
    ])  # fmt: skip
    return {
        **{metric.name: mean(values_of(metric, scored.values())) for metric in named},
        f"{primary.name}_unambiguous": mean(values_of(primary, sure)),
        f"{primary.name}_stratified": estimate.mean,
        f"{primary.name}_stratified_error": estimate.error,
    }


def _of(drawn: Drawn, scored: Mapping[str, Scored]) -> list[Scored]:
    return [scored[item.key] for item in drawn.items if item.key in scored]


def _stratum(drawn: Drawn, scored: Mapping[str, Scored], primary: Metric) -> StratumResult:
    found = _of(drawn, scored)
    return StratumResult(
        bucket=drawn.bucket,
        population=drawn.population,
        wanted=drawn.wanted,
        drawn=len(drawn.items),
        scored=len(found),
        mean=mean(values_of(primary, found)),
    )


def _item(desk: Desk, bucket: str, key: str, scored: Mapping[str, Scored]) -> ItemResult:
    item_id = desk.plan.items[key].item_id
    found = scored.get(key)
    if found is not None:
        return ItemResult(
            item_id=item_id, bucket=bucket, state=ItemState.SCORED, fields=found.values, ambiguous=found.ambiguous
        )
    if key in desk.given_up:
        return ItemResult(item_id=item_id, bucket=bucket, state=ItemState.MISSING, reason=desk.given_up[key])
    reason = desk.dropped.get(key, "")
    return ItemResult(item_id=item_id, bucket=bucket, state=ItemState.NOT_ASKED, reason=reason)


def _share(items: Sequence[ItemResult]) -> float | None:
    return sum(item.state is ItemState.SCORED for item in items) / len(items) if items else None


def _singleton_metrics(singletons: Sequence[ItemResult]) -> dict[str, float | None]:
    """The share of singletons that should have been in a cluster, plain and by the judge's confidence."""
    if not singletons:
        return {}
    valid = [item.fields for item in singletons if item.state is ItemState.SCORED]
    weights = [float(value) for one in valid if isinstance(value := one[CONFIDENCE], int | float)]
    should = [100.0 * (one[SHOULD] is True) for one in valid]
    weighed = sum(weight * share for weight, share in zip(weights, should, strict=True))
    return {
        "singleton_false_negative_pct": mean(should),
        "singleton_false_negative_pct_weighted": weighed / sum(weights) if weights else None,
        "singleton_mean_confidence": mean(weights),
    }
