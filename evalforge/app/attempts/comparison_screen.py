"""Two attempts side by side: what was gained, what was lost, what was changed in the files."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from evalforge.app.fight.judgement_text import followed_advice
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import VERDICT_WORDS, format_age, plural
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import Line, LineView
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.model.evidence import ImpostorFate, TrialOutcome
from evalforge.model.number_format import format_number, format_percent, format_signed, round_percent
from evalforge.model.text import clean_line
from evalforge.reports.comparison import INCOMPARABLE, Comparison, compare

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt

_MAX_CHANGES_SHOWN = 12
_TAB_WIDTH = 4


class ComparisonScreen(GameScreen):
    """Compares one attempt with another."""

    CSS_PATH = "comparison_screen.tcss"
    NAME = "Two attempts"
    HELP_TEXT = """
What changed from the earlier attempt to the later one: points, criteria, the advice you followed, trials, impostors,
and the submitted files. `tab` moves between the panes, `z` swaps the attempts.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "other pane", key_display="tab", id="comparison.side"),
        Binding("z", "swap", "swap", id="comparison.swap"),
        Binding("escape", "back", "back", id="comparison.back"),
    ]

    def __init__(self, before: "Attempt", after: "Attempt") -> None:
        super().__init__()
        self._before, self._after = before, after

    def body(self) -> Iterable[Widget]:
        """Compose the heading, the changes and the changed files."""
        yield Heading(id="heading")
        with Container(id="page"):
            yield Panel(id="changes")
            yield LineView(id="diff")

    def on_mount(self) -> None:
        """Compare the two attempts."""
        self._show_comparison()
        self.query_one(LineView).focus()

    def action_swap(self) -> None:
        """Swap the two attempts."""
        self._before, self._after = self._after, self._before
        self._show_comparison()

    def _show_comparison(self) -> None:
        comparison = compare(self._before, self._after)
        title = [("COMPARE", "bold ember"), (f"  {clean_line(comparison.after.boss_title)}", "ash")]
        self.query_one(Heading).set_text(title, [(f"{comparison.before.id} → {comparison.after.id}", "dim")])
        self.query_one("#changes", Panel).set_text(_changes(comparison, look(self).glyphs))
        self.query_one(LineView).show(list(_diff(comparison)))


def _changes(comparison: Comparison, glyphs: Glyphs) -> Content:
    parts = _results(comparison)
    if not comparison.comparable:
        parts.append((f"\n{INCOMPARABLE}\n", "ember"))
    if comparison.score_delta is not None and comparison.hp_delta is not None:
        role = "verdigris" if comparison.score_delta > 0 else "blood" if comparison.score_delta < 0 else "dim"
        percent = round_percent(-comparison.hp_delta)
        parts += [("\n", ""), (format_signed(comparison.score_delta), f"bold {role}"), (" points", "ash")]
        parts.append((f", integrity {format_signed(percent)} %\n" if percent else "\n", "dim"))
    parts.append(("\nCriteria\n", "bold ember"))
    for criterion in comparison.criteria:
        both = dict.fromkeys((criterion.before, criterion.after))
        levels = " → ".join("-" if score is None else format_number(score) for score in both)
        delta = criterion.delta or 0
        role = "bold verdigris" if delta > 0 else "bold blood" if delta < 0 else "faint"
        parts += [
            (f" {levels:>7}  ", role), (f"{clean_line(criterion.label)}\n", "ash"),
        ]  # fmt: skip
        if delta and criterion.comment_after:
            parts += [("     ", ""), *spans(clean_line(criterion.comment_after, cap=2_000), "dim"), ("\n", "")]
    advice = followed_advice(comparison.advice, glyphs, beside_levels=True)
    parts += [("\n", ""), advice] if advice.plain else []
    trials = [
        (trial.after is TrialOutcome.PASSED, [*spans(clean_line(trial.title or trial.id), "ash")])
        for trial in comparison.trials
    ]
    parts += _section("Trials that changed", str(len(trials)), trials)
    if comparison.unmasked_delta is not None:
        impostors = [
            (
                impostor.after is ImpostorFate.UNMASKED,
                [*spans(clean_line(impostor.riddle), "ash"), (f"  {clean_line(impostor.clause)}", "faint")],
            )
            for impostor in comparison.impostors
        ]
        parts += _section("Impostors", comparison.impostor_words, impostors)
    return styled(*parts)


def _section(title: str, text: str, changes: Sequence[tuple[bool, list[Run]]]) -> Iterator[Run]:
    """Yield a section with the changes for better and worse; nothing if nothing changed."""
    if not changes:
        return
    yield (f"\n{title}", "bold ember")
    yield (f"  {text}\n", "dim")
    for is_better, change in changes[:_MAX_CHANGES_SHOWN]:
        yield (f"  {'+' if is_better else '-'} ", "bold verdigris" if is_better else "bold blood")
        yield from (*change, ("\n", ""))
    if len(changes) > _MAX_CHANGES_SHOWN:
        yield (f"  and {len(changes) - _MAX_CHANGES_SHOWN} more\n", "dim")


def _results(comparison: Comparison) -> list[Run | Content]:
    """Both results, one below the other; the judges only if they differ."""
    parts: list[Run | Content] = []
    for name, attempt in (("before ", comparison.before), ("after  ", comparison.after)):
        verdict = VERDICT_WORDS.get(attempt.verdict or "", "not judged")
        score = (
            f"{format_number(attempt.score_total)}/{format_number(attempt.score_max or 0)}"
            if attempt.score_total is not None
            else ""
        )
        share = f" · {format_percent(attempt.integrity)}" if attempt.integrity is not None else ""
        parts += [(name, "dim"), (f"{score:>5}{share}  ", "bold ash"), (f"{verdict:<10}", "ash")]
        parts.append((f"  {format_age(attempt.started_at)}\n", "dim"))
        if comparison.before.judge != comparison.after.judge:
            parts.append((f"{'':<9}{attempt.judge.name} judge\n", "dim"))
    return parts


def _diff(comparison: Comparison) -> Iterator[Line]:
    if comparison.same_files:
        yield (("The files are identical.", "dim"),)
        return
    yield ((plural(len(comparison.files), "file"), "bold ember"), (" changed", "dim"))
    for file in comparison.files:
        yield ()
        count = f"  +{file.added} -{file.removed}" if file.kind == "changed" else f"  {file.kind}"
        yield ((clean_line(file.path), "bold steel"), (count, "dim"))
        for line in file.diff:
            role = {"+": "verdigris", "-": "blood", "@": "faint"}.get(line[:1], "dim")
            yield ((clean_line(line.expandtabs(_TAB_WIDTH), cap=2_000), role),)
        if file.cut:
            yield ((f"and {plural(file.cut, 'more line', 'more lines')}", "dim"),)
