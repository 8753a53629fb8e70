"""Runs one evaluation: items, gates, sample, judges, figures, all of it stored.

``evaluate`` is the entry point for the command line and for code with its own items or clusters to judge. A run has
one judge, several that are each asked about everything, or a ladder, on which each judge is asked about the items that
the one before left open: was unsure of, or gave no score. All of them share a journal and a budget.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evalforge.evaluate.engines.base import RunContext
from evalforge.evaluate.engines.batched import BatchEngine
from evalforge.evaluate.engines.live import LiveEngine
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome
from evalforge.evaluate.evaluation_report import RunEnd, judged_evaluation, unjudged_evaluation
from evalforge.evaluate.evaluation_store import EvaluationRun, EvaluationStore
from evalforge.evaluate.gates import check_gates, measured_value
from evalforge.evaluate.item_source import gather_items, items_hash, spec_hash
from evalforge.evaluate.items import Population
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.journal import Journal, JudgeStarted, read_journal
from evalforge.evaluate.ledger import read_ledgers
from evalforge.evaluate.measure import MeasurementError
from evalforge.evaluate.plan import Plan, instrument_hash, make_plan
from evalforge.evaluate.preview import Preview, make_preview
from evalforge.evaluate.run_budget import BATCH_DISCOUNT, RunBudget
from evalforge.evaluate.run_options import BATCH_ENGINE, ENGINES, RunOptions
from evalforge.evaluate.run_state import RunState
from evalforge.evaluate.spec import Spec
from evalforge.evaluate.steps import JobKind
from evalforge.judges.availability import model_unavailable_reason
from evalforge.llm.budget import price_of
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.retry import LOCAL_RETRY_POLICY, RetryPolicy
from evalforge.llm.sdk_client import Client
from evalforge.model.errors import EvalForgeError, UsageError

ItemSource = Population | Path | None
"""The items, or their file; None for those of the spec."""
_PREVIEW_SECRET = "0" * 32


async def evaluate(spec: Spec, options: RunOptions, source: ItemSource = None) -> Evaluation:
    """Evaluate a spec, resuming an earlier run of it that was killed.

    Raises:
        EvalForgeError: The run can't start. Later failures are outcomes instead.
    """
    models = _model_options(spec, options)
    with EvaluationStore(spec.name, options.folder) as store:
        start = await _find_or_start_run(spec, options, store, source)
        if isinstance(start, Evaluation):
            return start
        run, population = start.run, start.population
        gates = check_gates(spec.gates, population.values)
        failed_gates = "; ".join(gate.summary for gate in gates if not gate.passed)
        if failed_gates:
            end = RunEnd(
                EvaluationOutcome.DEGENERATE,
                f"A gate fails: {failed_gates}.",
                "No judge was asked, and nothing spent.",
            )
            result = unjudged_evaluation(spec, options, end)
        else:
            result = await _judge(spec, options, models, store, start)
        diagnostics = {name: measured_value(population.values, name) for name in spec.diagnostics}
        update = {"id": run.header.id, "started_at": run.header.started_at, "gates": gates, "diagnostics": diagnostics}
        result = result.model_copy(update=update)
        run.save(result)
        return result


async def preview_run(spec: Spec, options: RunOptions, source: ItemSource = None) -> Preview:
    """Describe what ``evaluate`` would do. The measurement is run; no judge is asked and nothing is stored."""
    population = await gather_items(spec, source)
    judges = spec.judge.judges[:1] if spec.judge.ladder else spec.judge.judges
    plans = [_first_plan(spec.with_model(judge), population, _PREVIEW_SECRET) for judge in judges]
    # Not locked: a preview may run while another process evaluates.
    spent_usd = EvaluationStore(spec.name, options.folder).max_spent()
    failed_gates = [gate.summary for gate in check_gates(spec.gates, population.values) if not gate.passed]
    warnings = [*spec.warnings, *(f"a gate fails, so no judge is asked: {gate}" for gate in failed_gates)]
    if spec.judge.ladder:
        warnings.append(f"only {judges[0]} is counted: the others are asked about what it leaves open")
    return make_preview(plans, _run_budget(spec, options, options.models, spent_usd), tuple(warnings))


# Before a run


def _model_options(spec: Spec, options: RunOptions) -> ModelOptions:
    """Return the server and the models to ask, or raise what is wrong with the options."""
    names = _model_names(spec)
    models = replace(options.models, models=names)
    why_not = model_unavailable_reason(models)
    if why_not:
        raise UsageError(f"No model can be asked: {why_not}.")
    if options.engine not in ENGINES:
        raise UsageError(f"There is no engine called {options.engine!r}.", f"Engines: {', '.join(ENGINES)}.")
    if options.concurrency < 1:
        raise UsageError("At least one call must be allowed at once.")
    has_cap = spec.judge.max_total_cost_usd is not None or options.budget_usd is not None
    unpriced_name = next((name for name in names if price_of(name, models) is None), "")
    if has_cap and unpriced_name:
        raise UsageError(
            f"The price of {unpriced_name} is not known, so its cost can't be kept under a cap.",
            "Put its price into prices.toml in EVALFORGE_HOME, or lift the cap: max_total_cost_usd: null, --uncapped.",
        )
    return models


def _model_names(spec: Spec) -> tuple[str, ...]:
    return tuple(spec.with_model(judge).judge.model_name for judge in spec.judge.judges)


def _first_plan(spec: Spec, population: Population, secret: str) -> Plan:
    plan = make_plan(spec, population, secret)
    if not plan.jobs:
        buckets = f" The buckets that exist: {', '.join(plan.unnamed_buckets)}." if plan.unnamed_buckets else ""
        raise UsageError(f"There are no items to judge.{buckets}")
    return plan


@dataclass(frozen=True)
class RunStart:
    """A run to do, and its items."""

    run: EvaluationRun
    population: Population


async def _find_or_start_run(
    spec: Spec, options: RunOptions, store: EvaluationStore, source: ItemSource
) -> RunStart | Evaluation:
    """Find an unfinished run or start a new one; if everything was done before, return that result."""
    asked_hash = spec_hash(spec, options.models)
    is_measured = source is None and spec.measurement is not None
    if is_measured and not options.fresh:
        run = store.unfinished(asked_hash, None)
        # Until a judge was asked nothing was paid for, so measuring again costs nothing.
        if run is not None and run.journal.exists():
            options.show_message(f"Continuing {run.header.id} with its measurements (--fresh measures again)")
            return RunStart(run, run.population())
    try:
        population = await gather_items(spec, source)
    except MeasurementError as error:
        end = RunEnd(EvaluationOutcome.ERROR, error.message, error.hint)
        return unjudged_evaluation(spec, options, end).model_copy(update={"final": False})
    population_hash = items_hash(population)
    if not options.fresh:
        done = store.finished(asked_hash, population_hash)
        if done is not None:
            options.show_message(f"{done.id} judged the same before, so no model is asked (--fresh judges again)")
            # These don't affect what was asked, so the current values apply.
            update = {"minimum_improvement": spec.judge.minimum_improvement, "direction": spec.direction}
            return done.model_copy(update=update)
        run = store.unfinished(asked_hash, population_hash)
        if run is not None:
            options.show_message(f"Continuing {run.header.id}")
            return RunStart(run, population)
    run = store.begin(asked_hash, population_hash, instrument_hash(spec.judge), population)
    return RunStart(run, population)


# The run


async def _judge(
    spec: Spec, options: RunOptions, models: ModelOptions, store: EvaluationStore, start: RunStart
) -> Evaluation:
    """Ask one judge after another, each from where the journal ends until its queue is empty or stopped."""
    run = start.run
    patience = options.patience or (LOCAL_RETRY_POLICY if models.is_local else RetryPolicy())
    client = Client(models, patience.stall_seconds)
    ledgers = read_ledgers(run.journal)
    if options.engine != BATCH_ENGINE and any(ledger.calls_at_server for ledger in ledgers.values()):
        raise UsageError(
            "A message batch of this run is still at the server, and paid for.",
            "Continue with --engine message-batches, or start over with --fresh.",
        )
    at_server_usd = {judge: ledger.reserved_at_server_usd for judge, ledger in ledgers.items()}
    budget = _run_budget(spec, options, models, store.max_spent() - sum(at_server_usd.values()))
    reservations = {judge: budget.try_reserve(usd) for judge, usd in at_server_usd.items()}
    queues: dict[str, JobQueue] = {}
    try:
        with Journal(run.journal) as journal:
            for judge in spec.judge.judges:
                plan = _plan_for(judge, spec, start, queues)
                if not plan.jobs:
                    break
                if len(spec.judge.judges) > 1:
                    options.show_message(f"judge {len(queues) + 1} of {len(spec.judge.judges)}: {judge}")
                queue = JobQueue(RunState.from_journal(plan, run.journal), journal, options.on_change)
                if queues and spec.judge.ladder and judge not in ledgers:
                    queue.record(JudgeStarted(keys=tuple(plan.items)))
                queues[judge] = queue
                # The engine reserves calls at the server again, one by one, when it claims them.
                budget.settle_reservation(reservations.get(plan.judge), 0.0)
                await _run_engine(options, patience, RunContext(queue, budget, client, options.show_message))
        return judged_evaluation(spec, options, queues, budget)
    finally:
        await client.close()


def _plan_for(judge: str, spec: Spec, start: RunStart, queues: Mapping[str, JobQueue]) -> Plan:
    """The plan of a judge that is asked after those with a queue."""
    own_spec, population, secret = spec.with_model(judge), start.population, start.run.header.secret
    if not queues:
        return _first_plan(own_spec, population, secret)
    if spec.judge.ladder:
        keys = _keys_left_open(judge, start.run, list(queues.values())[-1])
        population = replace(
            population, items=tuple(item for item in population.items if item.key in keys), singletons=()
        )
        everything = {"sample_size": None, "stratification": None, "singleton_sample": 0}
        own_spec = replace(own_spec, judge=own_spec.judge.model_copy(update=everything))
    # Judges ask about the same batches: their own digits tell their requests apart at the server.
    return make_plan(own_spec, population, hashlib.sha256(f"{secret} {judge}".encode()).hexdigest()[:32], judge)


def _keys_left_open(judge: str, run: EvaluationRun, previous: JobQueue) -> frozenset[str]:
    """The keys of the items that a judge of a ladder is asked about: those it started with, if it did."""
    for record in read_journal(run.journal):
        if isinstance(record, JudgeStarted) and record.judge == judge:
            return frozenset(record.keys)
    scored = previous.state.scored[JobKind.ITEMS]
    sample = previous.state.plan.sample
    return frozenset(item.key for item in sample if item.key not in scored or scored[item.key].ambiguous)


async def _run_engine(options: RunOptions, patience: RetryPolicy, context: RunContext) -> None:
    is_batched = options.engine == BATCH_ENGINE
    engine = BatchEngine(options.polling) if is_batched else LiveEngine(options.concurrency, patience)
    try:
        await engine.run(context)
    except* EvalForgeError as group:
        # An error in one of many concurrent workers is shown as a single error.
        raise group.exceptions[0] from None


def _run_budget(spec: Spec, options: RunOptions, models: ModelOptions, spent_usd: float) -> RunBudget:
    """The budget of a run, under the lower of the spec's cap and the command's."""
    caps = [spec.judge.max_total_cost_usd]
    if options.budget_usd is not None:
        caps.append(spent_usd + options.budget_usd)
    cap_usd = min((cap for cap in caps if cap is not None), default=None)
    names = {*_model_names(spec), *models.models}
    discount = BATCH_DISCOUNT if options.engine == BATCH_ENGINE else 1.0
    return RunBudget({name: price_of(name, models) for name in names}, cap_usd, spent_usd, discount)
