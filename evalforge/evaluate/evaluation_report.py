"""Builds the result of an evaluation, however it ended."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations

from evalforge.evaluate.aggregate import MIN_COVERAGE, Figures, figures_of, judge_figures
from evalforge.evaluate.evaluation import (
    MAX_AMBIGUOUS_RATE,
    Evaluation,
    EvaluationOutcome,
    ItemResult,
    ItemState,
    JudgeFingerprint,
    Spending,
)
from evalforge.evaluate.evaluation_store import timestamp
from evalforge.evaluate.fields import Metric, Value
from evalforge.evaluate.item_prompt import prompt_hash
from evalforge.evaluate.items import key_of
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.plan import instrument_hash
from evalforge.evaluate.reconcile import SHOULD_CLUSTER
from evalforge.evaluate.run_budget import RunBudget
from evalforge.evaluate.run_options import RunOptions
from evalforge.evaluate.run_state import RunState
from evalforge.evaluate.spec import Spec
from evalforge.evaluate.statistics import interval_alpha
from evalforge.llm.failure import CallFailure

_MAX_APART = 1.0
"""Judges may differ by this much in a number before an item counts as ambiguous."""
_JudgeResults = Mapping[str, Iterable[ItemResult]]
"""What each judge reported, by its name, in the order in which the judges were asked."""
_ADVISE_ON_REPLIES = "Check the reasons of the items and the rubric, or try another --model."
_USD_DECIMALS = 8


@dataclass(frozen=True)
class RunEnd:
    """How an evaluation ended, and why."""

    outcome: EvaluationOutcome
    reason: str = ""
    advice: str = ""


def unjudged_evaluation(spec: Spec, options: RunOptions, end: RunEnd) -> Evaluation:
    """The result if no judge was asked."""
    judge = spec.with_model(spec.judge.judges[0]).judge
    return Evaluation(
        id=spec.name,
        spec=spec.name,
        rubric_hash=instrument_hash(judge),
        outcome=end.outcome,
        reason=end.reason,
        advice=end.advice,
        primary=judge.scoring.primary,
        direction=spec.direction,
        minimum_improvement=judge.minimum_improvement,
        noise_threshold=(spec.measurement.stability.noise_threshold or 0.0) if spec.measurement else 0.0,
        sample_seed=judge.sample_seed,
        instrument=JudgeFingerprint(
            rubric_hash=instrument_hash(judge),
            prompt_hash=prompt_hash(judge.prompt),
            model=judge.model_name,
            server=options.models.server,
        ),
        cost=Spending(usd=0.0, total_usd=None, cap_usd=judge.max_total_cost_usd),
        warnings=spec.warnings,
        engine=options.engine,
        started_at=timestamp(),
        finished_at=timestamp(),
    )


def judged_evaluation(spec: Spec, options: RunOptions, queues: Mapping[str, JobQueue], budget: RunBudget) -> Evaluation:
    """The result of a run that asked judges, each with a queue: their scores, and the figures computed from them."""
    columns = {judge: judge_figures(queue) for judge, queue in queues.items()}
    has_several = len(spec.judge.judges) > 1
    figures = _joint_figures(spec, queues, columns) if has_several else columns[spec.judge.model]
    end = _run_end(spec, [_judge_end(queue, columns[judge]) for judge, queue in queues.items()], figures)
    warnings = [warning for judge, queue in queues.items() for warning in _warnings(queue, columns[judge])]
    states = [queue.state for queue in queues.values()]
    counts = [
        {**asdict(queue.state.counts), "failures": queue.failed_calls, "refusals": queue.refused_calls}
        for queue in queues.values()
    ]
    spending = _spending(spec, states, budget)
    result = unjudged_evaluation(spec, options, end)
    instrument = {
        "model": " + ".join(queues) if has_several else result.instrument.model,
        "answered_by": tuple(sorted({model for state in states for model in state.models})),
    }
    return result.model_copy(
        update={
            "metrics": {**figures.metrics, "judge_cost_usd": spending.usd, "total_judge_cost_usd": spending.total_usd},
            "coverage": figures.coverage,
            "strata": figures.strata,
            "items": figures.items,
            "singletons": figures.singletons,
            "counts": {name: sum(count[name] for count in counts) for name in counts[0]},
            "instrument": result.instrument.model_copy(update=instrument),
            "cost": spending,
            "warnings": tuple(dict.fromkeys((*spec.warnings, *warnings))),
            "final": all(
                queue.unsettled_count == 0 and not queue.dropped and queue.stop_reason is None
                for queue in queues.values()
            ),
        }
    )


def _joint_figures(spec: Spec, queues: Mapping[str, JobQueue], columns: Mapping[str, Figures]) -> Figures:
    """The figures of what all judges together say about the first judge's sample."""
    is_ladder = bool(spec.judge.ladder)
    items = _join_items({judge: column.items for judge, column in columns.items()}, is_ladder=is_ladder)
    singletons = _join_singletons({judge: column.singletons for judge, column in columns.items()}, is_ladder=is_ladder)
    figures = figures_of(next(iter(queues.values())).state.plan, items, singletons)
    return replace(figures, metrics={**figures.metrics, **_agreement_metrics(items, spec.judge.scoring.primary)})


def _judge_end(queue: JobQueue, figures: Figures) -> RunEnd:
    """Judged, if enough of the sample has a score; the reason for a stop is given in either case."""
    stop_reason = queue.stop_reason or CallFailure("", "")
    if figures.lowest_coverage >= MIN_COVERAGE:
        return RunEnd(EvaluationOutcome.JUDGED, stop_reason.reason, stop_reason.advice)
    too_few = f"Only {figures.lowest_coverage:.0%} of the sample has a score; {MIN_COVERAGE:.0%} are needed."
    reason = f"{stop_reason.reason} {too_few}".strip()
    first_problem = next(iter((queue.dropped | queue.state.given_up).values()), "")
    if not stop_reason.reason and first_problem:
        reason = f"{too_few} The first without one: {first_problem}."
    return RunEnd(EvaluationOutcome.ERROR, reason, stop_reason.advice or _ADVISE_ON_REPLIES)


def _run_end(spec: Spec, ends: Sequence[RunEnd], figures: Figures) -> RunEnd:
    """The first end that is an error explains the run; on a ladder, other judges may still make up for it."""
    worst = next((end for end in ends if end.outcome is EvaluationOutcome.ERROR), ends[0])
    is_made_up_for = bool(spec.judge.ladder) and figures.lowest_coverage >= MIN_COVERAGE
    return replace(worst, outcome=EvaluationOutcome.JUDGED) if is_made_up_for else worst


def _spending(spec: Spec, states: Sequence[RunState], budget: RunBudget) -> Spending:
    ledgers = [state.ledger for state in states]
    has_prices = all(budget.prices[state.plan.spec.judge.model_name] is not None for state in states)
    # Calls at the server are only reserved in the budget, not yet spent.
    total_usd = budget.spent_usd + sum(ledger.reserved_at_server_usd for ledger in ledgers)
    return Spending(
        usd=round(sum(ledger.max_usd for ledger in ledgers), _USD_DECIMALS) if has_prices else None,
        total_usd=round(total_usd, _USD_DECIMALS) if has_prices else None,
        cap_usd=spec.judge.max_total_cost_usd,
    )


def _warnings(queue: JobQueue, figures: Figures) -> list[str]:
    state = queue.state
    plan, counts = state.plan, state.counts
    warnings = [
        f"bucket {bucket or 'of all items'} is short: {have} of {requested}, not filled up from other buckets"
        for bucket, (have, requested) in plan.shortages.items()
    ]
    if plan.unnamed_buckets:
        buckets = ", ".join(f"{bucket} ({count})" for bucket, count in sorted(plan.unnamed_buckets.items()))
        warnings.append(f"buckets the spec doesn't name were not sampled: {buckets}")
    if counts.unknown:
        warnings.append(f"{counts.unknown} elements were about items that weren't asked for, and were dropped")
    rate = figures.metrics.get("ambiguous_rate")
    if rate is not None and rate > MAX_AMBIGUOUS_RATE:
        warnings.append(f"the judge was unsure of {rate:.0%} of the items: a comparison with it is not conclusive")
    if len(state.models) > 1:
        warnings.append(f"more than one model answered: {', '.join(sorted(state.models))}")
    if counts.differing:
        warnings.append(
            f"{counts.differing} times one reply gave an item two different scores: it was asked about again; if that "
            "didn't settle it, the worse score counts"
        )
    return warnings


# What several judges report together


def _join_items(results: _JudgeResults, *, is_ladder: bool) -> tuple[ItemResult, ...]:
    """Join the judges' reports on every item of the first judge.

    On a ladder the last report counts; otherwise the median of numbers and the majority of booleans.
    """
    first = next(iter(results.values()))
    scored = {
        judge: {key_of(item.item_id): item for item in items if item.state is ItemState.SCORED}
        for judge, items in results.items()
    }
    return tuple(_join_item(item, scored, is_ladder=is_ladder) for item in first)


def _join_singletons(results: _JudgeResults, *, is_ladder: bool) -> tuple[ItemResult, ...]:
    """Join the reports on singletons; where the judges disagree on clustering one, it is ambiguous."""

    def disagree(item: ItemResult) -> bool:
        return len({fields.get(SHOULD_CLUSTER) for fields in item.by_judge.values()}) > 1

    return tuple(
        item.model_copy(update={"ambiguous": True}) if disagree(item) else item
        for item in _join_items(results, is_ladder=is_ladder)
    )


def _join_item(item: ItemResult, scored: Mapping[str, Mapping[str, ItemResult]], *, is_ladder: bool) -> ItemResult:
    key = key_of(item.item_id)
    reports = {judge: items[key] for judge, items in scored.items() if key in items}
    if not reports:
        return item
    by_judge = {judge: dict(report.fields) for judge, report in reports.items()}
    if is_ladder:
        return list(reports.values())[-1].model_copy(update={"bucket": item.bucket, "by_judge": by_judge})
    fields = {
        name: _joint_value([values.get(name) for values in by_judge.values()]) for name in next(iter(by_judge.values()))
    }
    unsure_count = sum(report.ambiguous for report in reports.values())
    is_ambiguous = unsure_count * 2 > len(reports) or any(_are_apart(name, by_judge) for name in fields)
    return ItemResult(
        item_id=item.item_id,
        bucket=item.bucket,
        state=ItemState.SCORED,
        fields=fields,
        ambiguous=is_ambiguous,
        by_judge=by_judge,
    )


def _joint_value(values: Sequence[Value]) -> Value:
    """The median of numbers, the majority of booleans (the first judge's in a tie), the first judge's text."""
    given_values = [value for value in values if value is not None]
    if given_values and all(isinstance(value, bool) for value in given_values):
        yes_count = sum(value is True for value in given_values)
        return given_values[0] if yes_count * 2 == len(given_values) else yes_count * 2 > len(given_values)
    numbers = [value for value in given_values if isinstance(value, int | float) and not isinstance(value, bool)]
    if numbers and len(numbers) == len(given_values):
        median = statistics.median(numbers)
        return int(median) if float(median).is_integer() else median
    return given_values[0] if given_values else None


def _are_apart(name: str, values_by_judge: Mapping[str, Mapping[str, Value]]) -> bool:
    """Whether judges differ enough in a field that a person should look."""
    values = [fields.get(name) for fields in values_by_judge.values()]
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    return len(numbers) > 1 and max(numbers) - min(numbers) > _MAX_APART


def _agreement_metrics(items: Iterable[ItemResult], primary: str) -> dict[str, float | None]:
    """The agreement in the primary figure's field, over pairs of judges; empty if no item has two judges."""
    field = Metric.from_name(Metric.from_name(primary).field)
    units: list[list[float]] = []
    for item in items:
        values = [value for fields in item.by_judge.values() if (value := field.value_for(fields)) is not None]
        if len(values) > 1:
            units.append(values)
    differences = [abs(one - other) for unit in units for one, other in combinations(unit, 2)]
    if not differences:
        return {}
    return {
        "judge_agreement_exact": sum(difference == 0 for difference in differences) / len(differences),
        "judge_agreement_within_1": sum(difference <= 1 for difference in differences) / len(differences),
        "judge_agreement_alpha": interval_alpha(units),
    }
