"""Evaluate any items by one rubric, or compare two evaluations."""

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
from evalforge.evaluate.evaluate import evaluate as run_evaluation
from evalforge.evaluate.evaluate import preview_run
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome
from evalforge.evaluate.evaluation_store import find_population, find_result
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.run_options import RunOptions
from evalforge.evaluate.spec import ALIASES, Spec, load_spec
from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import write_text
from evalforge.packs.path_checks import is_file

_STATUS = {
    EvaluationOutcome.JUDGED: ExitStatus.SUCCESS,
    EvaluationOutcome.DEGENERATE: ExitStatus.NOT_PASSED,
    EvaluationOutcome.ERROR: ExitStatus.UNGRADED,
}
_SECONDS_BETWEEN_NOTES = 2.0


def evaluate(arguments: Namespace) -> int:
    """Evaluate, or compare two evaluations.

    The exit status is 0 if it was judged, 1 if a gate failed, 3 if it could not be judged; a comparison's is 0 if it
    improved, else 1.

    Raises:
        UsageError: Not exactly one spec is named.
    """
    spec_words: list[str] = arguments.spec
    if spec_words[0] == "compare" and not (len(spec_words) == 1 and is_file(Path("compare"))):
        return _compare(spec_words[1:], arguments)
    if spec_words[0] == "show" and not (len(spec_words) == 1 and is_file(Path("show"))):
        return _show(spec_words[1:], arguments)
    if len(spec_words) != 1:
        raise UsageError("Name one spec, or: evalforge evaluate compare A B")
    config = settings.load(arguments)
    spec = _with_model(load_spec(Path(spec_words[0]), uncapped=arguments.uncapped), arguments, config)
    if arguments.uncapped and spec.judge.max_total_cost_usd is not None:
        output.print_note(f"--uncapped changes nothing: the spec allows ${spec.judge.max_total_cost_usd:g}")
    setting = RunOptions(
        models=config.models,
        engine=arguments.engine,
        concurrency=arguments.concurrency,
        budget_usd=config.models.budget,
        fresh=arguments.fresh,
        show_message=_NotePrinter().print_note,
        on_change=_ProgressPrinter().print_progress,
    )
    if arguments.dry_run:
        return _print_preview(spec, setting, arguments)
    return _evaluate(spec, setting, arguments)


def _with_model(spec: Spec, arguments: Namespace, config: settings.Settings) -> Spec:
    """Return the spec with its model: from the flag, the spec, a variable or the configuration, else haiku.

    The user's own server has its own models, so a name such as haiku means nothing there.
    """
    models = config.models.models
    if spec.judge.models or spec.judge.ladder:
        return spec
    if len(models) > 1:
        raise UsageError("An evaluation asks one model, so that its scores are comparable.", "Name one with --model")
    is_named_by_spec = "model" in spec.judge.model_fields_set
    is_known_to_server = not (config.models.is_local and spec.judge.model in ALIASES)
    if models and (getattr(arguments, "model", None) or not is_named_by_spec or not is_known_to_server):
        return spec.with_model(models[0])
    if not is_known_to_server:
        raise UsageError(f"No model is named for {config.models.server}.", "Name one with --model")
    return spec


def _print_preview(spec: Spec, setting: RunOptions, arguments: Namespace) -> int:
    preview = asyncio.run(preview_run(spec, setting, arguments.items))
    if arguments.json:
        output.print_json(preview.model_dump(mode="json"))
    else:
        print_preview(preview)
    return ExitStatus.SUCCESS


def _evaluate(spec: Spec, setting: RunOptions, arguments: Namespace) -> int:
    # SIGTERM stops it as Ctrl+C does, through asyncio's own handler: raised elsewhere, it would end in a traceback.
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        evaluation = asyncio.run(run_evaluation(spec, setting, arguments.items))
    except KeyboardInterrupt:
        output.print_note("Results so far are kept: run the same command to continue.")
        raise
    _print_result(evaluation, as_json=arguments.json)
    _export(evaluation, arguments)
    return _STATUS[evaluation.outcome]


def _interrupt(_number: int, _frame: object) -> None:
    signal.raise_signal(signal.SIGINT)


def _show(names: list[str], arguments: Namespace) -> int:
    """Print a stored evaluation again, or export it."""
    if len(names) != 1:
        raise UsageError("Name one evaluation: evalforge evaluate show NAME", "A name, or a result's file.")
    evaluation = find_result(names[0])
    _print_result(evaluation, as_json=arguments.json)
    _export(evaluation, arguments)
    return ExitStatus.SUCCESS


def _export(evaluation: Evaluation, arguments: Namespace) -> None:
    """Write the page and the table, if they were requested."""
    from evalforge.evaluate.export.evaluation_page import evaluation_page
    from evalforge.evaluate.export.evaluation_table import evaluation_csv

    if arguments.html:
        write_text(arguments.html, evaluation_page(evaluation, find_population(evaluation.id)))
    if arguments.csv:
        # With a byte order mark, or spreadsheets misread non-ASCII names.
        write_text(arguments.csv, evaluation_csv(evaluation), "utf-8-sig")
    targets = [str(path) for path in (arguments.html, arguments.csv) if path]
    if targets:
        output.print_note(f"written: {', '.join(targets)}")


def _print_result(evaluation: Evaluation, *, as_json: bool) -> None:
    if as_json:
        output.print_json(evaluation.model_dump(mode="json"))
    else:
        print_evaluation(evaluation)
    if evaluation.outcome is not EvaluationOutcome.JUDGED:
        output.print_note(f"{evaluation.outcome.value}: {evaluation.reason} {evaluation.advice}".strip())


def _compare(names: list[str], arguments: Namespace) -> int:
    if len(names) != 2:
        raise UsageError("Name two evaluations: evalforge evaluate compare A B", "Each is a name or a result's file.")
    if arguments.csv:
        raise UsageError("A comparison can't be written as a table.", "Write a page with --html, or data with --json.")
    before, after = map(find_result, names)
    comparison = compare(before, after)
    if arguments.json:
        output.print_json(comparison.model_dump(mode="json"))
    else:
        print_comparison(comparison)
    if arguments.html:
        from evalforge.evaluate.export.evaluation_page import comparison_page

        write_text(arguments.html, comparison_page(comparison, before, after))
        output.print_note(f"written: {arguments.html}")
    return ExitStatus.SUCCESS if comparison.verdict is ComparisonVerdict.IMPROVED else ExitStatus.NOT_PASSED


@dataclass
class _NotePrinter:
    """Prints notes on progress, without repeating the same one."""

    _last_note: str = ""
    _at: float = field(default_factory=lambda: float("-inf"))

    def print_note(self, note: str) -> None:
        now = time.monotonic()
        if note != self._last_note and (
            now - self._at >= _SECONDS_BETWEEN_NOTES / 4 or note.partition(":")[0] not in self._last_note
        ):
            self._last_note, self._at = note, now
            output.print_note(note)


@dataclass
class _ProgressPrinter:
    """Prints the progress at intervals."""

    _at: float = field(default_factory=time.monotonic)

    def print_progress(self, queue: JobQueue) -> None:
        now = time.monotonic()
        if now - self._at < _SECONDS_BETWEEN_NOTES and queue.unsettled_count:
            return
        self._at = now
        done, total = sum(map(len, queue.state.scored.values())), len(queue.state.plan.items)
        cost_text = f"${queue.state.ledger.paid_usd:.4f} spent"
        output.print_note(f"{done:,} of {total:,} scored, {queue.unsettled_count:,} calls to go, {cost_text}")
