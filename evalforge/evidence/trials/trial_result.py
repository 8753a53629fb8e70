"""Makes the result of a trial, in words that the player may read."""

import pytest

from evalforge.evidence.trials import trial_items
from evalforge.evidence.trials.steady_words import steady_words
from evalforge.evidence.trials.trial_run import TrialRecord
from evalforge.model.evidence import TrialOutcome, TrialResult
from evalforge.model.text import clean, clean_line
from evalforge.sandbox.report import Ending, RunReport

_HIDDEN_INPUT = "Its input is shown from your third attempt on."


def trial_result(
    item: pytest.Item, record: TrialRecord, message: str, seconds: float, *, hides_input: bool
) -> TrialResult:
    """The result of a trial that has ended.

    Args:
        item: The trial.
        record: The record of the trial, including its outcome.
        message: Why it failed; empty if it didn't.
        seconds: How long it took.
        hides_input: Whether to leave out what the trial did.
    """
    assert record.outcome is not None
    outcome = record.outcome
    path, line = record.place if record.place[0] else _code_place(record.last_report)
    if outcome is TrialOutcome.FAILED and record.last_report and record.last_report.uncaught_error:
        where = f" at {path}:{line}" if path else ""
        escaped = record.last_report.uncaught_error
        ended = f"tried to {escaped.refused}" if escaped.refused else f"ended in {escaped.type}"
        message = f"{(message or trial_items.title_of(item)).rstrip('.')}. It {ended}{where}."
    result = TrialResult(
        id=trial_items.id_of(item),
        title=trial_items.title_of(item),
        group=trial_items.group_of(item),
        outcome=outcome,
        message=clean(message, line_cap=400, total_cap=1200),
        path=clean_line(path),
        line=line,
        seconds=round(seconds, 4),
        steps=tuple(record.steps) if outcome is not TrialOutcome.NOT_RUN else (),
        command="" if outcome in (TrialOutcome.PASSED, TrialOutcome.NOT_RUN) else record.command(),
        advice=trial_items.advice_of(item),
    )
    return _without_input(result) if hides_input else result


def with_steady_words(first: TrialResult, second: TrialResult, started_at: float, ended_at: float) -> TrialResult:
    """A result without the parts that differ in a second run; unchanged if that had another outcome.

    Args:
        first: The result of the first run.
        second: The result of the second run.
        started_at: When the first run began, in seconds since the epoch.
        ended_at: When it ended, in seconds since the epoch.
    """
    if second.outcome is not first.outcome:
        return first
    steps = first.steps
    if len(second.steps) == len(steps):
        steps = tuple(
            step.model_copy(update={"result": steady_words(step.result, other.result, started_at, ended_at)})
            for step, other in zip(steps, second.steps, strict=True)
        )
    message = steady_words(first.message, second.message, started_at, ended_at)
    return first.model_copy(update={"message": message, "steps": steps})


def _without_input(result: TrialResult) -> TrialResult:
    """A result without the trial's input; the title and the case ids, which the author wrote, stay."""
    message = "" if result.passed else _HIDDEN_INPUT
    return result.model_copy(update={"message": message, "steps": (), "command": ""})


def _code_place(report: RunReport | None) -> tuple[str, int | None]:
    if report is None:
        return "", None
    if report.ending is Ending.TIMEOUT:
        return report.stuck_path, report.stuck_line
    return (report.uncaught_error.path, report.uncaught_error.line) if report.uncaught_error else ("", None)
