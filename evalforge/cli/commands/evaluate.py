"""Any items against one rubric: evaluate a spec, or compare two evaluations."""

import asyncio
import signal
import time
from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.text.evaluation import print_comparison, print_evaluation, print_preview
from evalforge.evaluate.compare import ComparisonVerdict, compare
from evalforge.evaluate.evaluate import evaluate as run
from evalforge.evaluate.evaluate import preview_run
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome
from evalforge.evaluate.evaluation_store import find_result
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.plan import with_model
from evalforge.evaluate.run_options import RunOptions
from evalforge.evaluate.spec import ALIASES, Spec, load_spec
from evalforge.model.errors import UsageError
from evalforge.packs.path_checks import is_file

_STATUS = {
    EvaluationOutcome.JUDGED: ExitStatus.SUCCESS,
    EvaluationOutcome.DEGENERATE: ExitStatus.NOT_PASSED,
    EvaluationOutcome.ERROR: ExitStatus.UNGRADED,
}
_TOLD_EVERY = 2.0


def evaluate(arguments: Namespace) -> int:
    """Evaluate, or compare two evaluations.

    The exit status is 0 if it was judged, 1 if a gate failed, 3 if it could not be judged; a comparison's is 0 if it
    improved, else 1.
    """
    words: list[str] = arguments.spec
    if words[0] == "compare" and not (len(words) == 1 and is_file(Path("compare"))):
        return _compare(words[1:], as_json=arguments.json)
    if len(words) != 1:
        raise UsageError("Name one spec, or: evalforge evaluate compare A B")
    chosen = settings.load(arguments)
    spec = _with_model(load_spec(Path(words[0]), uncapped=arguments.uncapped), arguments, chosen)
    if arguments.uncapped and spec.judge.max_total_cost_usd is not None:
        output.print_note(f"--uncapped changes nothing: the spec allows ${spec.judge.max_total_cost_usd:g}")
    setting = RunOptions(
        models=chosen.models,
        engine=arguments.engine,
        concurrency=arguments.concurrency,
        budget_usd=chosen.models.budget,
        fresh=arguments.fresh,
        show_message=_Words().say,
        on_change=_Progress().tell,
    )
    if arguments.dry_run:
        return _look(spec, setting, arguments)
    return _evaluate(spec, setting, arguments)


def _with_model(spec: Spec, arguments: Namespace, chosen: settings.Settings) -> Spec:
    """The model asked for: by flag, by the spec, by variable or configuration, else haiku.

    A server of one's own has its own models; there a name such as haiku means nothing.
    """
    given = chosen.models.models
    if len(given) > 1:
        raise UsageError("An evaluation asks one model, so that its scores have one measure.", "Name one with --model")
    by_spec = "model" in spec.judge.model_fields_set
    means_something = not (chosen.models.is_local and spec.judge.model in ALIASES)
    if given and (getattr(arguments, "model", None) or not by_spec or not means_something):
        return with_model(spec, given[0])
    if not means_something:
        raise UsageError(f"No model is named for {chosen.models.server}.", "Name one with --model")
    return spec


def _look(spec: Spec, setting: RunOptions, arguments: Namespace) -> int:
    found = asyncio.run(preview_run(spec, setting, arguments.items))
    if arguments.json:
        output.print_json(found.model_dump(mode="json"))
    else:
        print_preview(found)
    return ExitStatus.SUCCESS


def _evaluate(spec: Spec, setting: RunOptions, arguments: Namespace) -> int:
    # Whoever stops it politely gets what a killed one gets: the same command goes on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        found = asyncio.run(run(spec, setting, arguments.items))
    except KeyboardInterrupt:
        output.print_note("What was judged is kept: the same command goes on from there.")
        raise
    _tell(found, as_json=arguments.json)
    return _STATUS[found.outcome]


def _tell(found: Evaluation, *, as_json: bool) -> None:
    if as_json:
        output.print_json(found.model_dump(mode="json"))
    else:
        print_evaluation(found)
    if found.outcome is not EvaluationOutcome.JUDGED:
        output.print_note(f"{found.outcome.value}: {found.reason} {found.advice}".strip())


def _compare(names: list[str], *, as_json: bool) -> int:
    if len(names) != 2:
        raise UsageError("Name two evaluations: evalforge evaluate compare A B", "Each is a name or a result's file.")
    comparison = compare(find_result(names[0]), find_result(names[1]))
    if as_json:
        output.print_json(comparison.model_dump(mode="json"))
    else:
        print_comparison(comparison)
    return ExitStatus.SUCCESS if comparison.verdict is ComparisonVerdict.IMPROVED else ExitStatus.NOT_PASSED


@dataclass
class _Words:
    """Words on what is going on; the same ones not again and again."""

    _last: str = ""
    _at: float = field(default_factory=lambda: float("-inf"))

    def say(self, words: str) -> None:
        now = time.monotonic()
        if words != self._last and (now - self._at >= _TOLD_EVERY / 4 or words.partition(":")[0] not in self._last):
            self._last, self._at = words, now
            output.print_note(words)


@dataclass
class _Progress:
    """How far it is, every now and then."""

    _at: float = field(default_factory=time.monotonic)

    def tell(self, queue: JobQueue) -> None:
        now = time.monotonic()
        if now - self._at < _TOLD_EVERY and queue.unsettled_count:
            return
        self._at = now
        done, total = sum(map(len, queue.state.scored.values())), len(queue.state.plan.items)
        spent = f"${queue.state.ledger.paid_usd:.4f} spent"
        output.print_note(f"{done:,} of {total:,} scored, {queue.unsettled_count:,} calls to go, {spent}")
