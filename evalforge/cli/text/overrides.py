"""The levels that a person set in an attempt, as lines of text."""

from rich.console import Console

from evalforge.cli import output
from evalforge.cli.text.sections import Entry, print_section
from evalforge.history.store import History
from evalforge.model.attempt import Attempt
from evalforge.model.result import BossEvalResult, verdict_words
from evalforge.reports.labels import labels_by_criterion


def print_overrides(history: History, attempt: Attempt, out: Console) -> None:
    """Print what a person set in an attempt, and both results; nothing if there are no overrides."""
    revised = history.overrides.of(attempt.id)
    result = attempt.result
    if revised is None or result is None:
        return
    labels = labels_by_criterion(attempt)
    judged_scores = {criterion.id: criterion.score for criterion in result.criteria}
    entries: list[Entry] = []
    for override in revised.overrides:
        name = override.criterion_id
        label = labels[name].label if name in labels else name
        score = "taken back" if override.score is None else f"{judged_scores.get(name, 0):g} → {override.score:g}"
        origin = f" (set on attempt {override.carried_from}: check it)" if override.carried_from else ""
        when = f"{override.made_at.astimezone():%Y-%m-%d %H:%M}"
        entries.append((f"{when}  {label}: {score}. {override.reason}{origin}",))
    print_section(out, "Set by a person", entries)
    output.print_line(out, ("What counts  ", "bold"), f"{_score(revised.result)} (judged {_score(result)})")


def _score(result: BossEvalResult) -> str:
    return f"{result.score_total:g} of {result.score_max:g} {verdict_words(result.verdict).upper()}"
