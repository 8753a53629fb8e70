"""Runs one evaluation: items, gates, sample, judges, figures, all of it stored.

``evaluate`` is the entry point for the command line and for code with its own items or clusters to judge.
"""

from dataclasses import dataclass
from pathlib import Path

from evalforge.evaluate.engines.base import JudgingEngine, RunContext
from evalforge.evaluate.engines.batched import BatchEngine
from evalforge.evaluate.engines.live import LiveEngine
from evalforge.evaluate.evaluation import Evaluation
from evalforge.evaluate.evaluation_report import degenerate_evaluation, judged_evaluation, unmeasured_evaluation
from evalforge.evaluate.evaluation_store import EvaluationRun, EvaluationStore
from evalforge.evaluate.gates import check_gates
from evalforge.evaluate.item_source import gather_items, items_hash, spec_hash
from evalforge.evaluate.items import Population
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.journal import Journal, read_journal
from evalforge.evaluate.measure import MeasurementError
from evalforge.evaluate.plan import Plan, instrument_hash, make_plan
from evalforge.evaluate.preview import Preview, make_preview
from evalforge.evaluate.run_budget import BATCH_DISCOUNT, RunBudget
from evalforge.evaluate.run_options import BATCH_ENGINE, ENGINES, RunOptions
from evalforge.evaluate.run_state import RunState
from evalforge.evaluate.spec import Spec
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

    Args:
        spec: What to evaluate.
        options: How the run is done.
        source: Where the items come from.

    Raises:
        EvalForgeError: The run can't start. Later failures are outcomes instead.
    """
    models = _model_options(spec, options)
    with EvaluationStore(spec.name, options.folder) as store:
        start = await _find_or_start_run(spec, options, models, store, source)
        if isinstance(start, Evaluation):
            return start
        run, population = start.run, start.population
        gates = check_gates(spec.gates, population.values)
        if not all(gate.passed for gate in gates):
            result = degenerate_evaluation(spec, options.engine, run, population, gates, models.server)
        else:
            plan = make_plan(spec, population, run.header.secret)
            _check_plan(plan)
            queue, budget = await _judge(plan, options, models, store, run)
            result = judged_evaluation(queue, budget, run, population, gates, options.engine, models.server)
        run.save(result)
        return result


async def preview_run(spec: Spec, options: RunOptions, source: ItemSource = None) -> Preview:
    """Describe what ``evaluate`` would do. The measurement is run; no judge is asked and nothing is stored.

    Raises:
        EvalForgeError: The run couldn't start.
    """
    population = await gather_items(spec, source)
    plan = make_plan(spec, population, _PREVIEW_SECRET)
    _check_plan(plan)
    # Not locked: a preview may run while another process evaluates.
    spent_usd = EvaluationStore(spec.name, options.folder).max_spent()
    failed_gates = [gate.summary for gate in check_gates(spec.gates, population.values) if not gate.passed]
    warnings = (*spec.warnings, *(f"a gate fails, so no judge is asked: {gate}" for gate in failed_gates))
    return make_preview(plan, _run_budget(spec, options, _with_model(spec, options.models), spent_usd), warnings)


# Before a run


def _model_options(spec: Spec, options: RunOptions) -> ModelOptions:
    """Return the server and the models to ask.

    Raises:
        UsageError: No model can be asked, or an option is invalid.
    """
    models = _with_model(spec, options.models)
    why_not = model_unavailable_reason(models)
    if why_not:
        raise UsageError(f"No model can be asked: {why_not}.")
    if options.engine not in ENGINES:
        raise UsageError(f"There is no engine called {options.engine!r}.", f"Engines: {', '.join(ENGINES)}.")
    if options.concurrency < 1:
        raise UsageError("At least one call must be allowed at once.")
    has_cap = spec.judge.max_total_cost_usd is not None or options.budget_usd is not None
    if has_cap and price_of(spec.judge.model_name, models) is None:
        raise UsageError(
            f"The price of {spec.judge.model_name} is not known, so its cost can't be kept under a cap.",
            "Put its price into prices.toml in EVALFORGE_HOME, or lift the cap: max_total_cost_usd: null, --uncapped.",
        )
    return models


def _with_model(spec: Spec, models: ModelOptions) -> ModelOptions:
    return ModelOptions((spec.judge.model_name,), models.base_url, models.budget)


def _check_plan(plan: Plan) -> None:
    if not plan.jobs:
        buckets = f" The buckets that exist: {', '.join(plan.unnamed_buckets)}." if plan.unnamed_buckets else ""
        raise UsageError(f"There are no items to judge.{buckets}")


@dataclass(frozen=True)
class RunStart:
    """A run to do, and its items."""

    run: EvaluationRun
    population: Population


async def _find_or_start_run(
    spec: Spec, options: RunOptions, models: ModelOptions, store: EvaluationStore, source: ItemSource
) -> RunStart | Evaluation:
    """Find an unfinished run or start a new one; if everything was done before, return that result."""
    asked_hash = spec_hash(spec, models)
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
        return unmeasured_evaluation(spec, options.engine, error, models.server)
    population_hash = items_hash(population)
    if not options.fresh:
        if done := finished_before(spec, options, store, asked_hash, population_hash):
            return done
        run = store.unfinished(asked_hash, population_hash)
        if run is not None:
            options.show_message(f"Continuing {run.header.id}")
            return RunStart(run, population)
    run = store.begin(asked_hash, population_hash, instrument_hash(spec.judge), population)
    return RunStart(run, population)


def finished_before(
    spec: Spec, options: RunOptions, store: EvaluationStore, asked_hash: str, population_hash: str
) -> Evaluation | None:
    """Return a finished evaluation of the same items by the same spec, and say so; None if there is none."""
    done = store.finished(asked_hash, population_hash)
    if done is None:
        return None
    options.show_message(f"{done.id} judged the same before, so no model is asked (--fresh judges again)")
    # These don't affect what was asked, so the current values apply.
    return done.model_copy(update={"minimum_improvement": spec.judge.minimum_improvement, "direction": spec.direction})


# The run


async def _judge(
    plan: Plan, options: RunOptions, models: ModelOptions, store: EvaluationStore, run: EvaluationRun
) -> tuple[JobQueue, RunBudget]:
    """Resume a run where its journal ends, until its queue is empty or stopped."""
    patience = options.patience or (LOCAL_RETRY_POLICY if models.is_local else RetryPolicy())
    engine = _engine(options, patience)
    client = Client(models, patience.stall_seconds)
    try:
        with Journal(run.journal) as journal:
            state = RunState(plan)
            for record in read_journal(run.journal):
                state.apply(record)
            _check_engine(state, options)
            queue = JobQueue(state, journal, options.on_change)
            spent_elsewhere_usd = store.max_spent(but=run)
            # Reservations for calls at the server are made again when the engine claims them.
            spent_here_usd = state.ledger.max_usd - state.ledger.reserved_at_server_usd
            budget = _run_budget(plan.spec, options, models, spent_elsewhere_usd + spent_here_usd)
            await _run_engine(engine, RunContext(queue, budget, client, options.show_message))
            return queue, budget
    finally:
        await client.close()


async def _run_engine(engine: JudgingEngine, context: RunContext) -> None:
    try:
        await engine.run(context)
    except* EvalForgeError as group:
        # An error in one of many concurrent workers is shown as a single error.
        raise group.exceptions[0] from None


def _engine(options: RunOptions, patience: RetryPolicy) -> JudgingEngine:
    if options.engine == BATCH_ENGINE:
        return BatchEngine(options.polling)
    return LiveEngine(options.concurrency, patience)


def _check_engine(state: RunState, options: RunOptions) -> None:
    if state.ledger.calls_at_server and options.engine != BATCH_ENGINE:
        raise UsageError(
            "A message batch of this run is still at the server, and paid for.",
            "Continue with --engine message-batches, or start over with --fresh.",
        )


def _run_budget(spec: Spec, options: RunOptions, models: ModelOptions, spent_usd: float) -> RunBudget:
    """The budget of a run, under the lower of the spec's cap and the command's."""
    caps = [spec.judge.max_total_cost_usd]
    if options.budget_usd is not None:
        caps.append(spent_usd + options.budget_usd)
    cap_usd = min((cap for cap in caps if cap is not None), default=None)
    discount = BATCH_DISCOUNT if options.engine == BATCH_ENGINE else 1.0
    return RunBudget(price_of(spec.judge.model_name, models), cap_usd, spent_usd, discount)
