"""Two attempts side by side, as lines of text."""

from rich.console import Console

from evalforge.cli import output
from evalforge.cli.text.followed_advice import print_followed_advice
from evalforge.model.number_format import format_signed
from evalforge.model.result import verdict_words
from evalforge.reports.comparison import ComparedAttempt, Comparison, CriterionChange, FactChange, Value
from evalforge.reports.diff import FileChange

_FACTS_SHOWN = 20
_MAX_DIFF_LINES = 1_000
_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def show(comparison: Comparison) -> None:
    """Print what changed from one attempt to the other."""
    out = output.console()
    for name, side in (("from", comparison.before), ("to", comparison.after)):
        output.print_line(out, (f"{name:<5}", "dim"), (side.id, "bold"), f"  {_side(side)}")
    if not comparison.comparable:
        output.print_line(out, ("Different bosses or rubrics: the scores aren't comparable.", "yellow"))
    if comparison.score_delta is not None and comparison.hp_delta is not None:
        style = "green" if comparison.score_delta > 0 else "red" if comparison.score_delta < 0 else ""
        points = f"{format_signed(comparison.score_delta)} points"
        output.print_line(out, (points, f"bold {style}".strip()), f", boss HP {comparison.hp_delta * 100:+.0f} %")
    for change in comparison.criteria:
        _criterion(out, change)
    print_followed_advice(out, comparison.advice)
    _trials(out, comparison)
    _impostors(out, comparison)
    _facts(out, comparison.facts)
    _files(out, comparison.files)


def _side(side: ComparedAttempt) -> str:
    when = f"{side.started_at.astimezone():%Y-%m-%d %H:%M}"
    if side.score_total is None or side.score_max is None:
        return f"{when}  {side.boss_title}  not judged"
    verdict = verdict_words(side.verdict or "")
    return f"{when}  {side.boss_title}  {side.score_total:g}/{side.score_max:g} {verdict}  {side.judge.name} judge"


def _criterion(out: Console, change: CriterionChange) -> None:
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


def _trials(out: Console, comparison: Comparison) -> None:
    if comparison.trials:
        out.print()
        output.print_line(out, ("Trials", "bold"))
    for trial in comparison.trials:
        was, now = (outcome.value if outcome else "absent" for outcome in (trial.before, trial.after))
        mark, style = ("✓", "green") if now == "passed" else ("✗", "red") if was == "passed" else ("·", "dim")
        output.print_line(
            out, (f"{mark} ", style), f"{trial.group}: {trial.title}  ", (f"{was} to {now}", "dim"), indent="  "
        )


def _impostors(out: Console, comparison: Comparison) -> None:
    delta = comparison.unmasked_delta
    if not comparison.impostors or delta is None:
        return
    out.print()
    text = f"{abs(delta)} {'more' if delta > 0 else 'fewer'} caught" if delta else "no change"
    output.print_line(out, ("Impostors", "bold"), f"  {text}")
    for change in comparison.impostors:
        was, now = (fate.words if fate else "absent" for fate in (change.before, change.after))
        mark, style = ("✓", "green") if now == "caught" else ("✗", "red") if was == "caught" else ("·", "dim")
        output.print_line(
            out, (f"{mark} ", style), f"{change.clause}: {change.riddle}  ", (f"{was} to {now}", "dim"), indent="  "
        )


def _facts(out: Console, facts: tuple[FactChange, ...]) -> None:
    if facts:
        out.print()
        output.print_line(out, ("Facts", "bold"))
    for fact in facts[:_FACTS_SHOWN]:
        output.print_line(out, f"{fact.name}  {_value(fact.before)} to {_value(fact.after)}", indent="  ")
    if len(facts) > _FACTS_SHOWN:
        output.print_line(out, (f"and {len(facts) - _FACTS_SHOWN} more", "dim"), indent="  ")


def _value(value: Value) -> str:
    if value is None:
        return "unmeasured"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _files(out: Console, files: tuple[FileChange, ...]) -> None:
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
