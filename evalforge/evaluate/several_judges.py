"""Several judges on one sample: all of them on everything, or a ladder from the cheapest to the most expensive.

Each judge's run is an evaluation of its own, named after the spec and the model, so that it resumes where it stopped
and is never paid twice. They are combined into one evaluation, with every judge's report next to each item.
"""

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from evalforge.evaluate.aggregate import MIN_COVERAGE, item_metrics, scored_share, singleton_metrics
from evalforge.evaluate.evaluate import ItemSource, RunStart, evaluate, finished_before
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome, ItemResult, ItemState
from evalforge.evaluate.evaluation_report import degenerate_evaluation, unmeasured_evaluation
from evalforge.evaluate.evaluation_store import EvaluationStore, timestamp
from evalforge.evaluate.fields import Metric, Value
from evalforge.evaluate.gates import check_gates
from evalforge.evaluate.item_source import gather_items, items_hash, spec_hash
from evalforge.evaluate.items import Population, key_of
from evalforge.evaluate.measure import MeasurementError
from evalforge.evaluate.plan import instrument_hash, make_plan
from evalforge.evaluate.reconcile import SHOULD_CLUSTER, ScoredItem
from evalforge.evaluate.run_options import RunOptions
from evalforge.evaluate.spec import Spec

# How far several judges agree on the same items.


@dataclass(frozen=True)
class Agreement:
    """The agreement of judges on the items that at least two of them scored.

    Attributes:
        pairs: The number of pairs of judges and items compared.
        exact: The share of pairs with the same value.
        within_one: The share of pairs at most 1 apart.
        alpha: Krippendorff's alpha for interval data; None if all values are the same.
    """

    pairs: int
    exact: float
    within_one: float
    alpha: float | None


def judge_agreement(items: Iterable[ItemResult], primary: str) -> Agreement | None:
    """The agreement in the primary figure's field; None if no item has two judges."""
    metric = Metric.from_name(primary)
    field = Metric.from_name(metric.field)
    units: list[list[float]] = []
    for item in items:
        values = [value for fields in item.by_judge.values() if (value := field.value_for(fields)) is not None]
        if len(values) > 1:
            units.append(values)
    differences = [abs(one - other) for unit in units for one, other in combinations(unit, 2)]
    if not differences:
        return None
    count = len(differences)
    return Agreement(
        pairs=count,
        exact=sum(difference == 0 for difference in differences) / count,
        within_one=sum(difference <= 1 for difference in differences) / count,
        alpha=interval_alpha(units),
    )


def interval_alpha(units: Sequence[Sequence[float]]) -> float | None:
    """Krippendorff's alpha with the squared difference, over units of two or more values.

    K. Krippendorff, Content Analysis (3rd ed., 2013), chapter 12: 1 - observed / expected disagreement. 1 is
    perfect agreement and 0 is what chance alone gives.
    """
    values = [value for unit in units for value in unit]
    total = len(values)
    observed = sum(_squared_differences(unit) / (len(unit) - 1) for unit in units) / total
    expected = _squared_differences(values) / (total * (total - 1))
    return None if expected == 0 else 1 - observed / expected


def _squared_differences(values: Sequence[float]) -> float:
    """The sum over all ordered pairs, in linear time: 2 n times the sum of squares minus twice the squared sum."""
    return 2 * (len(values) * sum(value * value for value in values) - sum(values) ** 2)


_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")
_SECRET = "0" * 32
_MAX_APART = 1.0
"""Judges may differ by this much in a number before an item counts as ambiguous."""


@dataclass(frozen=True)
class _Round:
    """One judge's part: its model, and its result."""

    model: str
    evaluation: Evaluation


async def evaluate_with_judges(spec: Spec, options: RunOptions, source: ItemSource = None) -> Evaluation:
    """Evaluate a spec with one judge or with several, as the spec says.

    Args:
        spec: What to evaluate.
        options: How each judge's run is done.
        source: Where the items come from.

    Raises:
        EvalForgeError: A run can't start.
    """
    models = spec.judge.ladder or spec.judge.models
    if not models:
        return await evaluate(spec, options, source)
    # Locked while the judges are asked, because their runs have other names.
    with EvaluationStore(spec.name, options.folder) as store:
        try:
            start = await _find_or_begin_run(spec, options, store, source)
        except MeasurementError as error:
            return unmeasured_evaluation(_with_model(spec, models[0]), options.engine, error, options.models.server)
        if isinstance(start, Evaluation):
            return start
        gates = check_gates(spec.gates, start.population.values)
        if not all(gate.passed for gate in gates):
            result = degenerate_evaluation(
                *(_with_model(spec, models[0]), options.engine, start.run, start.population, gates),
                options.models.server,
            )
        else:
            rounds = await _ask_judges(spec, options, models, start.population)
            result = _combine(spec, start.population, rounds)
            result = result.model_copy(update={"id": start.run.header.id, "started_at": start.run.header.started_at})
        start.run.save(result)
        return result


async def _find_or_begin_run(
    spec: Spec, options: RunOptions, store: EvaluationStore, source: ItemSource
) -> RunStart | Evaluation:
    """Find or start the run, and measure for it; if everything was done before, return that result.

    Raises:
        EvalForgeError: There are no items.
    """
    asked_hash = spec_hash(spec, options.models)
    if source is None and spec.measurement is not None and not options.fresh:
        run = store.unfinished(asked_hash, None)
        if run is not None:
            options.show_message(f"Continuing {run.header.id} with its measurements (--fresh measures again)")
            return RunStart(run, run.population())
    population = await gather_items(spec, source)
    population_hash = items_hash(population)
    run = None
    if not options.fresh:
        if done := finished_before(spec, options, store, asked_hash, population_hash):
            return done
        run = store.unfinished(asked_hash, population_hash)
    return RunStart(
        run or store.begin(asked_hash, population_hash, instrument_hash(spec.judge), population), population
    )


async def _ask_judges(
    spec: Spec, options: RunOptions, models: Sequence[str], population: Population
) -> Sequence[_Round]:
    """Ask one judge after another: all about everything, or each about what the previous one left open."""
    judge = spec.judge
    rounds: list[_Round] = []
    for model in models:
        part = _population_for(population, rounds) if judge.ladder else population
        if not part.items and rounds:
            break
        own_spec = _one_judge(spec, model)
        if judge.ladder and rounds:
            whole = own_spec.judge.model_copy(
                update={"sample_size": None, "stratification": None, "singleton_sample": 0}
            )
            own_spec = replace(own_spec, judge=whole)
        options.show_message(f"judge {len(rounds) + 1} of {len(models)}: {model}")
        rounds.append(_Round(model, await evaluate(own_spec, _with_rest_of_cap(spec, options, rounds), part)))
    return rounds


def _one_judge(spec: Spec, model: str) -> Spec:
    """Return the spec for one judge, under a name of its own; gates have already been checked."""
    slug = _NOT_IN_A_NAME.sub("-", model.lower()).strip("-")[:40] or "judge"
    return replace(_with_model(spec, model), name=f"{spec.name}--{slug}", measurement=None)


def _with_model(spec: Spec, model: str) -> Spec:
    return replace(spec, judge=spec.judge.model_copy(update={"model": model, "models": (), "ladder": ()}))


def _population_for(population: Population, rounds: Sequence[_Round]) -> Population:
    """Return what the next judge of a ladder is asked about: what the previous one was unsure of or didn't score."""
    if not rounds:
        return population
    open_keys = {
        key_of(item.item_id)
        for item in rounds[-1].evaluation.items
        if item.ambiguous or item.state is not ItemState.SCORED
    }
    return replace(population, items=tuple(item for item in population.items if item.key in open_keys), singletons=())


def _with_rest_of_cap(spec: Spec, options: RunOptions, rounds: Sequence[_Round]) -> RunOptions:
    """Return the options with what earlier judges have left of the cap that all of them share."""
    cap, spent = (
        spec.judge.max_total_cost_usd,
        sum(judge_round.evaluation.cost.total_usd or 0.0 for judge_round in rounds),
    )
    spent_now = sum(judge_round.evaluation.cost.usd or 0.0 for judge_round in rounds)
    limits = [] if cap is None else [max(0.0, cap - spent)]
    limits += [] if options.budget_usd is None else [max(0.0, options.budget_usd - spent_now)]
    return replace(options, budget_usd=min(limits)) if limits and rounds else options


def _combine(spec: Spec, population: Population, rounds: Sequence[_Round]) -> Evaluation:
    first = rounds[0].evaluation
    items = tuple(_combine_item(item, rounds, is_ladder=bool(spec.judge.ladder)) for item in first.items)
    scored = {
        key_of(item.item_id): ScoredItem(dict(item.fields), item.ambiguous, 0.0)
        for item in items
        if item.state is ItemState.SCORED
    }
    coverage = len(scored) / len(items) if items else None
    problem = next(
        (judge_round.evaluation for judge_round in rounds if judge_round.evaluation.outcome is EvaluationOutcome.ERROR),
        None,
    )
    # If every judge has to see everything, the others don't make up for one without scores.
    is_complete = bool(spec.judge.ladder) or problem is None
    is_judged = coverage is not None and coverage >= MIN_COVERAGE and is_complete
    plan = make_plan(_one_judge(spec, rounds[0].model), population, _SECRET)
    agreement = judge_agreement(items, spec.judge.scoring.primary)
    usd = [judge_round.evaluation.cost.usd for judge_round in rounds]
    totals = [judge_round.evaluation.cost.total_usd for judge_round in rounds]
    cost = first.cost.model_copy(update={"usd": _sum(usd), "total_usd": _sum(totals)})
    singletons = tuple(_combine_singleton(item, rounds, is_ladder=bool(spec.judge.ladder)) for item in first.singletons)
    return first.model_copy(
        update={
            "id": spec.name,
            "spec": spec.name,
            "outcome": EvaluationOutcome.JUDGED if is_judged else EvaluationOutcome.ERROR,
            "reason": problem.reason if problem else "",
            "advice": problem.advice if problem else "",
            "metrics": {
                **item_metrics(plan, scored),
                **singleton_metrics(singletons),
                **_agreement_metrics(agreement),
                "judge_cost_usd": cost.usd,
                "total_judge_cost_usd": cost.total_usd,
            },
            "coverage": coverage,
            "items": items,
            "singletons": singletons,
            "singleton_coverage": scored_share(singletons),
            "counts": dict(sum((Counter(judge_round.evaluation.counts) for judge_round in rounds), Counter[str]())),
            "instrument": first.instrument.model_copy(
                update={
                    "model": " + ".join(judge_round.model for judge_round in rounds),
                    "answered_by": _answered_by(rounds),
                }
            ),
            "cost": cost,
            "warnings": tuple(
                dict.fromkeys(text for judge_round in rounds for text in judge_round.evaluation.warnings)
            ),
            "finished_at": timestamp(),
            "final": all(judge_round.evaluation.final for judge_round in rounds),
        }
    )


def _combine_singleton(item: ItemResult, rounds: Sequence[_Round], *, is_ladder: bool) -> ItemResult:
    """Combine all judges' reports on one singleton; if they disagree on clustering it, it is ambiguous."""
    combined = _combine_item(item, rounds, is_ladder=is_ladder)
    answers = {fields.get(SHOULD_CLUSTER) for fields in combined.by_judge.values()}
    return combined.model_copy(update={"ambiguous": True}) if len(answers) > 1 else combined


def _combine_item(item: ItemResult, rounds: Sequence[_Round], *, is_ladder: bool) -> ItemResult:
    """Combine all judges' reports on one item."""
    by_judge: dict[str, ItemResult] = {}
    for judge_round in rounds:
        results = (*judge_round.evaluation.items, *judge_round.evaluation.singletons)
        own = next((result for result in results if key_of(result.item_id) == key_of(item.item_id)), None)
        if own is not None and own.state is ItemState.SCORED:
            by_judge[judge_round.model] = own
    values_by_judge = {model: dict(own.fields) for model, own in by_judge.items()}
    if not by_judge:
        return item
    if is_ladder:
        last = list(by_judge.values())[-1]
        return last.model_copy(update={"bucket": item.bucket, "by_judge": values_by_judge})
    fields = {
        name: _joint_value([own.get(name) for own in values_by_judge.values()])
        for name in next(iter(values_by_judge.values()))
    }
    unsure_count = sum(own.ambiguous for own in by_judge.values())
    is_ambiguous = unsure_count * 2 > len(by_judge) or any(_are_apart(name, values_by_judge) for name in fields)
    update = {
        "state": ItemState.SCORED,
        "reason": "",
        "fields": fields,
        "ambiguous": is_ambiguous,
        "by_judge": values_by_judge,
    }
    return item.model_copy(update=update)


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


def _agreement_metrics(agreement: Agreement | None) -> dict[str, float | None]:
    if agreement is None:
        return {}
    return {
        "judge_agreement_exact": agreement.exact,
        "judge_agreement_within_1": agreement.within_one,
        "judge_agreement_alpha": agreement.alpha,
    }


def _answered_by(rounds: Sequence[_Round]) -> tuple[str, ...]:
    return tuple(sorted({name for judge_round in rounds for name in judge_round.evaluation.instrument.answered_by}))


def _sum(amounts: Sequence[float | None]) -> float | None:
    return None if None in amounts else sum(amount or 0.0 for amount in amounts)
