"""The levels that a person set in an attempt, as lines of text."""

from rich.console import Console

from evalforge.cli import output
from evalforge.history.overrides import RevisedResult
from evalforge.history.store import History
from evalforge.model.attempt import Attempt
from evalforge.model.result import verdict_words
from evalforge.reports.labels import labels_by_criterion


def show(history: History, attempt: Attempt, out: Console) -> None:
    """Print what a person set in an attempt, and both results; nothing if there are no overrides."""
    revised = history.overrides.of(attempt.id)
    result = attempt.result
    if revised is None or result is None:
        return
    words = labels_by_criterion(attempt)
    judged_scores = {criterion.id: criterion.score for criterion in result.criteria}
    out.print()
    output.print_line(out, ("Set by a person", "bold"))
    for override in revised.overrides:
        label = words[override.criterion_id].label if override.criterion_id in words else override.criterion_id
        change = (
            "taken back"
            if override.score is None
            else f"{judged_scores.get(override.criterion_id, 0):g} → {override.score:g}"
        )
        carried = f" (set on attempt {override.carried_from}: check it)" if override.carried_from else ""
        when = f"{override.made_at.astimezone():%Y-%m-%d %H:%M}"
        output.print_line(out, f"{when}  {label}: {change}. {override.reason}{carried}", indent="  ")
    now_is, was = _standing(revised), f"judged {result.score_total:g} of {result.score_max:g}"
    output.print_line(out, ("What counts  ", "bold"), f"{now_is} ({was} {verdict_words(result.verdict).upper()})")


def _standing(revised: RevisedResult) -> str:
    result = revised.result
    return f"{result.score_total:g} of {result.score_max:g} {verdict_words(result.verdict).upper()}"
