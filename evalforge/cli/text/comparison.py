"""Two attempts side by side, as lines of text."""

from rich.console import Console

from evalforge.cli import output
from evalforge.cli.text.fight import print_followed_advice
from evalforge.cli.text.sections import Entry, print_section
from evalforge.model.evidence import ImpostorFate, TrialOutcome
from evalforge.model.number_format import format_signed
from evalforge.model.result import verdict_words
from evalforge.reports.comparison import (
    INCOMPARABLE,
    ComparedAttempt,
    Comparison,
    CriterionChange,
    Value,
)
from evalforge.reports.diff import FileChange

Outcome = TrialOutcome | ImpostorFate | None
"""How a trial or an impostor ended; None if it is missing in an attempt."""
_GOOD = (TrialOutcome.PASSED, ImpostorFate.UNMASKED)
_FACTS_SHOWN = 20
_MAX_DIFF_LINES = 1_000
_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def print_comparison(comparison: Comparison) -> None:
    """Print what changed from one attempt to the other."""
    out = output.console()
    for name, attempt in (("from", comparison.before), ("to", comparison.after)):
        output.print_line(out, (f"{name:<5}", "dim"), (attempt.id, "bold"), f"  {_attempt_words(attempt)}")
    if not comparison.comparable:
        output.print_line(out, (INCOMPARABLE, "yellow"))
    if comparison.score_delta is not None and comparison.hp_delta is not None:
        style = "green" if comparison.score_delta > 0 else "red" if comparison.score_delta < 0 else ""
        points = f"{format_signed(comparison.score_delta)} points"
        output.print_line(out, (points, f"bold {style}".strip()), f", integrity {-comparison.hp_delta * 100:+.0f} %")
    for change in comparison.criteria:
        _print_criterion(out, change)
    print_followed_advice(out, comparison.advice)
    trials = [_outcome_entry(f"{trial.group}: {trial.title}", trial.before, trial.after) for trial in comparison.trials]
    print_section(out, "Trials", trials)
    impostors = [
        _outcome_entry(f"{impostor.clause}: {impostor.riddle}", impostor.before, impostor.after)
        for impostor in comparison.impostors
    ]
    if comparison.unmasked_delta is not None:
        print_section(out, "Impostors", impostors, remark=(f"  {comparison.impostor_words}",))
    facts = [(f"{fact.name}  {_value(fact.before)} to {_value(fact.after)}",) for fact in comparison.facts]
    print_section(out, "Facts", facts, shown=_FACTS_SHOWN)
    _print_files(out, comparison.files)


def _attempt_words(attempt: ComparedAttempt) -> str:
    about = f"{attempt.started_at.astimezone():%Y-%m-%d %H:%M}  {attempt.boss_title}"
    if attempt.score_total is None or attempt.score_max is None:
        return f"{about}  not judged"
    score = f"{attempt.score_total:g}/{attempt.score_max:g} {verdict_words(attempt.verdict or '')}"
    return f"{about}  {score}  {attempt.judge.name} judge"


def _print_criterion(out: Console, change: CriterionChange) -> None:
    style = "" if not change.delta else "green" if change.delta > 0 else "red"
    delta = "  =" if change.delta == 0 else f"{format_signed(change.delta):>3}" if change.delta is not None else "  ?"
    scores = f"{_score(change.before)} to {_score(change.after)} of {change.max_score:g}"
    out.print()
    output.print_line(out, (delta, style), "  ", (change.label, "bold"), f"  {scores}")
    if change.comment_before == change.comment_after:
        output.print_line(out, change.comment_after, indent="     ")
        return
    for name, comment in (("was", change.comment_before), ("now", change.comment_after)):
        if comment:
            output.print_line(out, (f"{name}  ", "dim"), comment, indent="     ")


def _score(score: float | None) -> str:
    return "none" if score is None else f"{score:g}"


def _outcome_entry(title: str, before: Outcome, after: Outcome) -> Entry:
    """One changed outcome, marked if it is good now, or was before."""
    mark, style = ("✓", "green") if after in _GOOD else ("✗", "red") if before in _GOOD else ("·", "dim")
    return (f"{mark} ", style), f"{title}  ", (f"{_outcome_words(before)} to {_outcome_words(after)}", "dim")


def _outcome_words(outcome: Outcome) -> str:
    if outcome is None:
        return "absent"
    return outcome.words if isinstance(outcome, ImpostorFate) else outcome.value


def _value(value: Value) -> str:
    if value is None:
        return "unmeasured"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _print_files(out: Console, files: tuple[FileChange, ...]) -> None:
    if not files:
        out.print()
        output.print_line(out, "The files are identical.")
    lines_left = _MAX_DIFF_LINES
    for file in files:
        out.print()
        output.print_line(out, (file.path, "bold"), f"  {file.kind}, +{file.added} -{file.removed} lines")
        for line in file.diff[:lines_left]:
            output.print_line(out, (line, _DIFF_STYLES.get(line[:1], "")))
        hidden = len(file.diff[lines_left:]) + file.cut
        lines_left = max(0, lines_left - len(file.diff))
        if hidden:
            output.print_line(out, (f"… {hidden} more lines of this diff", "dim"))
