"""One evaluation from its beginning to its end: measure, gates, sample, judges, figures, and all of it on disk.

``evaluate`` is the door for everybody: the command line, and whoever has items or clusters of their own to judge.
"""

from pathlib import Path

from evalforge.batch.evaluate.desk import Desk
from evalforge.batch.evaluate.engines.base import Engine, Shop
from evalforge.batch.evaluate.engines.message_batches import MessageBatches
from evalforge.batch.evaluate.engines.messages import Messages
from evalforge.batch.evaluate.gates import check_gates
from evalforge.batch.evaluate.items import Population
from evalforge.batch.evaluate.journal import Journal, read_journal
from evalforge.batch.evaluate.measure import MeasurementError
from evalforge.batch.evaluate.plan import Plan, instrument, plan_of
from evalforge.batch.evaluate.preview import Preview, preview
from evalforge.batch.evaluate.report import degenerate, report, unmeasured
from evalforge.batch.evaluate.result import Evaluation
from evalforge.batch.evaluate.setting import ENGINES, Setting
from evalforge.batch.evaluate.source import gather, identity_of, items_hash
from evalforge.batch.evaluate.spec import Spec
from evalforge.batch.evaluate.store import Run, Store
from evalforge.batch.evaluate.till import BATCH_DISCOUNT, Till
from evalforge.judges.call import FOR_LOCAL, Patience
from evalforge.judges.choice import why_no_model
from evalforge.judges.money import price_of
from evalforge.judges.options import ModelOptions
from evalforge.judges.sdk import Client
from evalforge.model.errors import EvalForgeError, UsageError


async def evaluate(spec: Spec, setting: Setting, source: Population | Path | None = None) -> Evaluation:
    """Evaluate a spec, going on where an earlier run of it was killed.

    Args:
        spec: What is asked for.
        setting: How.
        source: The items, or their file; None to take what the spec says.

    Raises:
        EvalForgeError: It can't begin. Once it has begun, whatever goes wrong is an outcome.
    """
    options = _options(spec, setting)
    with Store(spec.name, setting.folder) as store:
        found = await _begin(spec, setting, options, store, source)
        if isinstance(found, Evaluation):
            return found
        run, population = found
        gates = check_gates(spec.gates, population.values)
        if not all(gate.passed for gate in gates):
            result = degenerate(spec, setting.engine, run, population, gates, options.server)
        else:
            plan = plan_of(spec, population, run.header.secret)
            _check_plan(plan)
            desk, till = await _judge(plan, setting, options, store, run)
            result = report(desk, till, run, population, gates, setting.engine, options.server)
        run.save(result)
        return result


async def look(spec: Spec, setting: Setting, source: Population | Path | None = None) -> Preview:
    """What ``evaluate`` would do. The measurement is run; no judge is asked and nothing is kept.

    Raises:
        EvalForgeError: It couldn't begin.
    """
    population = await gather(spec, source)
    plan = plan_of(spec, population, "0" * 32)
    _check_plan(plan)
    # Not locked: one may look while another evaluates.
    spent = Store(spec.name, setting.folder).spent()
    failing = [gate.words for gate in check_gates(spec.gates, population.values) if not gate.passed]
    warnings = (*spec.warnings, *(f"a gate fails, so no judge would be asked: {words}" for words in failing))
    return preview(plan, _till(spec, setting, _with_model(spec, setting.options), spent), warnings)


# How it begins


def _options(spec: Spec, setting: Setting) -> ModelOptions:
    """Where and whom to ask; refused before anything is done if nobody can be asked."""
    options = _with_model(spec, setting.options)
    why_not = why_no_model(options)
    if why_not:
        raise UsageError(f"No model can be asked: {why_not}.")
    if setting.engine not in ENGINES:
        raise UsageError(f"There is no engine called {setting.engine!r}.", f"Engines: {', '.join(ENGINES)}.")
    if setting.concurrency < 1:
        raise UsageError("At least one call must be allowed at once.")
    cap = spec.judge.max_total_cost_usd
    if price_of(spec.judge.model_name, options) is None and (cap is not None or setting.budget is not None):
        raise UsageError(
            f"The price of {spec.judge.model_name} is not known, so its cost can't be kept under a cap.",
            "Put its price into prices.toml in EVALFORGE_HOME, or lift the cap: max_total_cost_usd: null, --uncapped.",
        )
    return options


def _with_model(spec: Spec, options: ModelOptions) -> ModelOptions:
    return ModelOptions((spec.judge.model_name,), options.base_url, options.budget)


def _check_plan(plan: Plan) -> None:
    if not plan.jobs:
        told = f" The buckets that exist: {', '.join(plan.unnamed)}." if plan.unnamed else ""
        raise UsageError(f"There are no items to judge.{told}")


async def _begin(
    spec: Spec, setting: Setting, options: ModelOptions, store: Store, source: Population | Path | None
) -> Evaluation | tuple[Run, Population]:
    """The run to do: an unfinished one, or a new one; or the result, if all of it was done before."""
    identity = identity_of(spec, options)
    is_measured = source is None and spec.measurement is not None
    if is_measured and not setting.fresh:
        run = store.unfinished(identity, None)
        if run is not None and not _is_stale(run):
            setting.word(f"Going on with {run.header.id}, with what was measured then (--fresh measures anew)")
            return run, run.population()
    try:
        population = await gather(spec, source)
    except MeasurementError as error:
        return unmeasured(spec, setting.engine, error, options.server)
    items = items_hash(population)
    if not setting.fresh:
        done = store.finished(identity, items)
        if done is not None:
            setting.word(f"{done.id} has judged the same before: nothing is asked (--fresh judges again)")
            kept = {"minimum_improvement": spec.judge.minimum_improvement, "direction": spec.direction}
            return done.model_copy(update=kept)
        run = store.unfinished(identity, items)
        if run is not None:
            setting.word(f"Going on with {run.header.id}")
            return run, population
    return store.begin(identity, items, instrument(spec.judge), population), population


def _is_stale(run: Run) -> bool:
    """Whether it stopped before any judge was asked: then a new measurement costs nothing that was paid."""
    return not run.journal.exists()


# How it is done


async def _judge(plan: Plan, setting: Setting, options: ModelOptions, store: Store, run: Run) -> tuple[Desk, Till]:
    patience = setting.patience or (FOR_LOCAL if options.is_local else Patience())
    engine = _engine(setting, patience)
    client = Client(options, patience.stall)
    try:
        with Journal(run.journal) as journal:
            desk = Desk(plan, journal, setting.tell)
            desk.replay(read_journal(run.journal))
            _check_engine(desk, setting)
            before = store.spent(but=run) + desk.ledger.most - desk.ledger.held
            till = _till(plan.spec, setting, options, before)
            await _run(engine, Shop(desk, till, client, options, setting.word))
            return desk, till
    finally:
        await client.close()


async def _run(engine: Engine, shop: Shop) -> None:
    try:
        await engine.run(shop)
    except* EvalForgeError as group:
        # What went wrong in one of many hands at once is one error to whoever reads it.
        raise group.exceptions[0] from None


def _engine(setting: Setting, patience: Patience) -> Engine:
    if setting.engine == "message-batches":
        return MessageBatches(setting.pace)
    return Messages(setting.concurrency, patience)


def _check_engine(desk: Desk, setting: Setting) -> None:
    if desk.ledger.at_the_server and setting.engine != "message-batches":
        raise UsageError(
            "A message batch of this run is still at the server, and paid for.",
            "Go on with --engine message-batches, or begin anew with --fresh.",
        )


def _till(spec: Spec, setting: Setting, options: ModelOptions, spent: float) -> Till:
    caps = [spec.judge.max_total_cost_usd]
    if setting.budget is not None:
        caps.append(spent + setting.budget)
    known = [cap for cap in caps if cap is not None]
    discount = BATCH_DISCOUNT if setting.engine == "message-batches" else 1.0
    return Till(price_of(spec.judge.model_name, options), min(known) if known else None, spent, discount)
