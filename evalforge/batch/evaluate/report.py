"""An evaluation's result, however it ended."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalforge.batch.evaluate.aggregate import MIN_COVERAGE, Figures, aggregate
from evalforge.batch.evaluate.desk import Desk
from evalforge.batch.evaluate.gates import GateResult, measured
from evalforge.batch.evaluate.items import Population
from evalforge.batch.evaluate.measure import MeasurementError
from evalforge.batch.evaluate.plan import Plan, instrument
from evalforge.batch.evaluate.prompt import prompt_hash
from evalforge.batch.evaluate.result import MOST_AMBIGUOUS, Evaluation, Instrument, Outcome, Spending
from evalforge.batch.evaluate.spec import Spec
from evalforge.batch.evaluate.store import Run, now
from evalforge.batch.evaluate.till import Till
from evalforge.judges.failure import Failure

_DAMAGE = "Look at the reasons of the items, at the rubric, or try another --model."


@dataclass(frozen=True)
class _End:
    """How it ended, and why."""

    outcome: Outcome
    reason: str = ""
    advice: str = ""


def unmeasured(spec: Spec, engine: str, error: MeasurementError, server: str) -> Evaluation:
    """Nothing could be measured: an error, and no bad score."""
    end = _End(Outcome.ERROR, error.message, error.hint)
    return _evaluation(spec, engine, end, _instrument(spec, server)).model_copy(update={"final": False})


def degenerate(
    spec: Spec, engine: str, run: Run, population: Population, gates: Sequence[GateResult], server: str
) -> Evaluation:
    """A gate failed, and no judge was asked."""
    failed = "; ".join(gate.words for gate in gates if not gate.passed)
    end = _End(Outcome.DEGENERATE, f"A gate fails: {failed}.", "No judge was asked, and nothing spent.")
    result = _evaluation(spec, engine, end, _instrument(spec, server))
    return result.model_copy(
        update={
            "id": run.header.id,
            "started_at": run.header.started_at,
            "gates": tuple(gates),
            "diagnostics": _diagnostics(spec, population),
        }
    )


def report(
    desk: Desk, till: Till, run: Run, population: Population, gates: Sequence[GateResult], engine: str, server: str
) -> Evaluation:
    """What the judges said, and what can be made of it."""
    spec, figures = desk.plan.spec, aggregate(desk)
    end = _end(desk, figures)
    spending = _spending(spec, desk, till)
    found = _instrument(spec, server, desk.models)
    result = _evaluation(spec, engine, end, found)
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
            "counts": desk.counts.as_dict(),
            "cost": spending,
            "warnings": (*spec.warnings, *_warnings(desk.plan, desk, figures)),
            "final": desk.open == 0 and not desk.dropped and desk.stopped is None,
        }
    )


def _evaluation(spec: Spec, engine: str, end: _End, found: Instrument) -> Evaluation:
    return Evaluation(
        id=spec.name,
        spec=spec.name,
        rubric_hash=found.rubric_hash,
        outcome=end.outcome,
        reason=end.reason,
        advice=end.advice,
        primary=spec.judge.scoring.primary,
        direction=spec.direction,
        minimum_improvement=spec.judge.minimum_improvement,
        sample_seed=spec.judge.sample_seed,
        instrument=found,
        cost=Spending(usd=0.0, total_usd=None, cap_usd=spec.judge.max_total_cost_usd),
        warnings=spec.warnings,
        engine=engine,
        started_at=now(),
        finished_at=now(),
    )


def _instrument(spec: Spec, server: str, models: Iterable[str] = ()) -> Instrument:
    return Instrument(
        rubric_hash=instrument(spec.judge),
        prompt_hash=prompt_hash(),
        model=spec.judge.model_name,
        answered_by=tuple(sorted(models)),
        server=server,
    )


def _end(desk: Desk, figures: Figures) -> _End:
    """Judged, if enough of the sample has a score; what stopped it is told either way."""
    stopped = desk.stopped or Failure("", "")
    shares = [share for share in (figures.coverage, figures.singleton_coverage) if share is not None]
    if shares and min(shares) >= MIN_COVERAGE:
        return _End(Outcome.JUDGED, stopped.reason, stopped.advice)
    share = f"Only {min(shares, default=0.0):.0%} of the sample has a score; {MIN_COVERAGE:.0%} are needed."
    reason = f"{stopped.reason} {share}".strip()
    first = next(iter((desk.dropped | desk.given_up).values()), "")
    if not stopped.reason and first:
        reason = f"{share} The first without one: {first}."
    return _End(Outcome.ERROR, reason, stopped.advice or _DAMAGE)


def _spending(spec: Spec, desk: Desk, till: Till) -> Spending:
    known = till.price is not None
    return Spending(
        usd=round(desk.ledger.most, 8) if known else None,
        # What is still at the server is only put aside in the till.
        total_usd=round(till.total + desk.ledger.held, 8) if known else None,
        cap_usd=spec.judge.max_total_cost_usd,
    )


def _warnings(plan: Plan, desk: Desk, figures: Figures) -> list[str]:
    told = [
        f"bucket {bucket or 'of all items'} is short: {have} of {wanted}, and not filled up from others"
        for bucket, (have, wanted) in plan.shortages.items()
    ]
    if plan.unnamed:
        listed = ", ".join(f"{bucket} ({count})" for bucket, count in sorted(plan.unnamed.items()))
        told.append(f"buckets the spec doesn't name were not sampled: {listed}")
    if desk.counts.unknown:
        told.append(f"{desk.counts.unknown} elements were about items nobody asked for, and were dropped")
    rate = figures.metrics.get("ambiguous_rate")
    if rate is not None and rate > MOST_AMBIGUOUS:
        told.append(f"the judge was unsure of {rate:.0%} of the items: no comparison with this will be conclusive")
    if len(desk.models) > 1:
        told.append(f"more than one model answered: {', '.join(sorted(desk.models))}")
    return told


def _diagnostics(spec: Spec, population: Population) -> dict[str, bool | int | float | None]:
    return {name: measured(population.values, name) for name in spec.diagnostics}
