"""Builds the result of an evaluation, however it ended."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from evalforge.evaluate.aggregate import MIN_COVERAGE, Figures, figures_of, judge_figures
from evalforge.evaluate.evaluation import (
    MAX_AMBIGUOUS_RATE,
    Evaluation,
    EvaluationOutcome,
    JudgeFingerprint,
    Spending,
)
from evalforge.evaluate.evaluation_store import timestamp
from evalforge.evaluate.item_prompt import prompt_hash
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.joint_results import agreement_metrics, join_items, join_singletons
from evalforge.evaluate.plan import instrument_hash
from evalforge.evaluate.run_budget import RunBudget
from evalforge.evaluate.run_options import RunOptions
from evalforge.evaluate.run_state import RunState
from evalforge.evaluate.spec import Spec
from evalforge.llm.failure import CallFailure

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
    items = join_items({judge: column.items for judge, column in columns.items()}, is_ladder=is_ladder)
    singletons = join_singletons({judge: column.singletons for judge, column in columns.items()}, is_ladder=is_ladder)
    figures = figures_of(next(iter(queues.values())).state.plan, items, singletons)
    return replace(figures, metrics={**figures.metrics, **agreement_metrics(items, spec.judge.scoring.primary)})


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
    return warnings
