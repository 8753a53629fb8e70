"""Builds the result of an evaluation, however it ended."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalforge.evaluate.aggregate import MIN_COVERAGE, Figures, aggregate
from evalforge.evaluate.evaluation import (
    MAX_AMBIGUOUS_RATE,
    Evaluation,
    EvaluationOutcome,
    JudgeFingerprint,
    Spending,
)
from evalforge.evaluate.evaluation_store import EvaluationRun, timestamp
from evalforge.evaluate.gates import GateResult, MeasuredValue, measured_value
from evalforge.evaluate.item_prompt import prompt_hash
from evalforge.evaluate.items import Population
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.measure import MeasurementError
from evalforge.evaluate.plan import instrument_hash
from evalforge.evaluate.run_budget import RunBudget
from evalforge.evaluate.spec import Spec
from evalforge.llm.failure import CallFailure

_ADVISE_ON_REPLIES = "Check the reasons of the items and the rubric, or try another --model."
_USD_DECIMALS = 8


@dataclass(frozen=True)
class _End:
    """How an evaluation ended, and why."""

    outcome: EvaluationOutcome
    reason: str = ""
    advice: str = ""


def unmeasured_evaluation(spec: Spec, engine: str, error: MeasurementError, server: str) -> Evaluation:
    """The result if nothing could be measured: an error, not a bad score."""
    end = _End(EvaluationOutcome.ERROR, error.message, error.hint)
    return _evaluation(spec, engine, end, _fingerprint(spec, server)).model_copy(update={"final": False})


def degenerate_evaluation(
    spec: Spec, engine: str, run: EvaluationRun, population: Population, gates: Sequence[GateResult], server: str
) -> Evaluation:
    """The result if a gate failed, so that no judge was asked."""
    failed_gates = "; ".join(gate.summary for gate in gates if not gate.passed)
    reason = f"A gate fails: {failed_gates}."
    end = _End(EvaluationOutcome.DEGENERATE, reason, "No judge was asked, and nothing spent.")
    result = _evaluation(spec, engine, end, _fingerprint(spec, server))
    return result.model_copy(
        update={
            "id": run.header.id,
            "started_at": run.header.started_at,
            "gates": tuple(gates),
            "diagnostics": _diagnostics(spec, population),
        }
    )


def judged_evaluation(
    queue: JobQueue,
    budget: RunBudget,
    run: EvaluationRun,
    population: Population,
    gates: Sequence[GateResult],
    engine: str,
    server: str,
) -> Evaluation:
    """The result of a run that asked judges: their scores, and the figures computed from them."""
    state = queue.state
    spec, figures = state.plan.spec, aggregate(queue)
    spending = _spending(spec, queue, budget)
    result = _evaluation(spec, engine, _range_end(queue, figures), _fingerprint(spec, server, state.models))
    return result.model_copy(
        update={
            "id": run.header.id,
            "started_at": run.header.started_at,
            "metrics": {**figures.metrics, "judge_cost_usd": spending.usd, "total_judge_cost_usd": spending.total_usd},
            "coverage": figures.coverage,
            "gates": tuple(gates),
            "diagnostics": _diagnostics(spec, population),
            "strata": figures.strata,
            "items": figures.items,
            "singletons": figures.singletons,
            "counts": {
                **state.counts.as_dict(),
                "failures": queue.failed_calls,
                "refusals": queue.refused_calls,
            },
            "cost": spending,
            "warnings": (*spec.warnings, *_warnings(queue, figures)),
            "final": queue.unsettled_count == 0 and not queue.dropped and queue.stop_reason is None,
        }
    )


def _evaluation(spec: Spec, engine: str, end: _End, fingerprint: JudgeFingerprint) -> Evaluation:
    return Evaluation(
        id=spec.name,
        spec=spec.name,
        rubric_hash=fingerprint.rubric_hash,
        outcome=end.outcome,
        reason=end.reason,
        advice=end.advice,
        primary=spec.judge.scoring.primary,
        direction=spec.direction,
        minimum_improvement=spec.judge.minimum_improvement,
        noise_threshold=_noise_threshold(spec),
        sample_seed=spec.judge.sample_seed,
        instrument=fingerprint,
        cost=Spending(usd=0.0, total_usd=None, cap_usd=spec.judge.max_total_cost_usd),
        warnings=spec.warnings,
        engine=engine,
        started_at=timestamp(),
        finished_at=timestamp(),
    )


def _noise_threshold(spec: Spec) -> float:
    stability = spec.measurement.stability if spec.measurement else None
    return (stability.noise_threshold or 0.0) if stability else 0.0


def _fingerprint(spec: Spec, server: str, models: Iterable[str] = ()) -> JudgeFingerprint:
    return JudgeFingerprint(
        rubric_hash=instrument_hash(spec.judge),
        prompt_hash=prompt_hash(spec.judge.prompt),
        model=spec.judge.model_name,
        answered_by=tuple(sorted(models)),
        server=server,
    )


def _range_end(queue: JobQueue, figures: Figures) -> _End:
    """Judged, if enough of the sample has a score; the reason for a stop is given in either case."""
    stop_reason = queue.stop_reason or CallFailure("", "")
    shares = [share for share in (figures.coverage, figures.singleton_coverage) if share is not None]
    if shares and min(shares) >= MIN_COVERAGE:
        return _End(EvaluationOutcome.JUDGED, stop_reason.reason, stop_reason.advice)
    too_few = f"Only {min(shares, default=0.0):.0%} of the sample has a score; {MIN_COVERAGE:.0%} are needed."
    reason = f"{stop_reason.reason} {too_few}".strip()
    first_problem = next(iter((queue.dropped | queue.state.given_up).values()), "")
    if not stop_reason.reason and first_problem:
        reason = f"{too_few} The first without one: {first_problem}."
    return _End(EvaluationOutcome.ERROR, reason, stop_reason.advice or _ADVISE_ON_REPLIES)


def _spending(spec: Spec, queue: JobQueue, budget: RunBudget) -> Spending:
    ledger, has_price = queue.state.ledger, budget.price is not None
    return Spending(
        usd=round(ledger.max_usd, _USD_DECIMALS) if has_price else None,
        # Calls at the server are only reserved in the budget, not yet spent.
        total_usd=round(budget.spent_usd + ledger.reserved_at_server_usd, _USD_DECIMALS) if has_price else None,
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


def _diagnostics(spec: Spec, population: Population) -> dict[str, MeasuredValue]:
    return {name: measured_value(population.values, name) for name in spec.diagnostics}
