"""Attempts on one boss from left to right: integrity as a plot, each criterion's level below, and what moved."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS, format_age
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, brief, fit, short_name, strip
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.history.boss_progress import LevelMatrix
from evalforge.model.number_format import format_number, format_percent, format_signed
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.core.session import Session
    from evalforge.history.boss_progress import ScoredAttempt

_ATTEMPTS_READ = 120
_MOVES_SHOWN = 8
_LEAST_PLOT, _LARGEST_PLOT = 4, 14
"""The heights of the smallest and of the largest plot, with the line below it."""


def fights_text(attempts: "Sequence[ScoredAttempt]", labels: Mapping[str, str], shown_count: int) -> Content:
    """The latest attempts on a boss, newest first, each on a line with what it moved.

    Args:
        attempts: The attempts, oldest first; the oldest may be there for comparison only.
        labels: The criteria's labels, by id.
        shown_count: How many to list at most.
    """
    parts: list[Run] = [("Last fights\n", "bold steel")] if attempts else []
    for before, attempt in list(zip((None, *attempts), attempts, strict=False))[: -shown_count - 1 : -1]:
        score, highest = (format_number(sum(level[part] for level in attempt.levels.values())) for part in (0, 1))
        moves = [f"{short_name(label)} {format_signed(change)}" for label, change in moves_of(attempt, before, labels)]
        parts += [
            (f" {f'#{attempt.number}':>4}  ", "dim"),
            (f"{VERDICT_WORDS.get(attempt.verdict, ''):<11}", VERDICT_ROLES.get(attempt.verdict, "steel")),
            (f"{f'{score}/{highest}':>5}", "ash"), (f"  {format_age(attempt.started_at):<12}", "dim"),
            (f"{', '.join(moves)}\n", "ash"),
        ]  # fmt: skip
    return styled(*parts)


def moves_of(
    attempt: "ScoredAttempt", before: "ScoredAttempt | None", labels: Mapping[str, str]
) -> Iterator[tuple[str, float]]:
    """Yield the label of each criterion that moved since an earlier attempt, and by how much; nothing without one."""
    for criterion_id, (score, _) in attempt.levels.items():
        change = round(score - before.levels.get(criterion_id, (score, 0.0))[0], 9) if before else 0
        if change:
            yield clean_line(labels.get(criterion_id, criterion_id)), change


_LABEL_LEAST = 20
_UP = " ▁▂▃▄▅▆▇█"


class TryChart(Widget):
    """A column for each attempt; the chosen one is bright."""

    DEFAULT_CSS = """
    TryChart { height: 1fr; padding: 0 1; }
    """
    chosen: reactive[str] = reactive("")
    """The id of the attempt whose column is highlighted."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._title = ""
        self._matrix = LevelMatrix((), ())
        self._labels: dict[str, str] = {}
        self._pass_share = 0.0

    def show(self, title: str, matrix: LevelMatrix, labels: dict[str, str], pass_share: float) -> None:
        """Show the attempts on a boss.

        Args:
            title: The boss's title.
            matrix: Criteria by attempts, oldest first.
            labels: The criteria's labels, by id.
            pass_share: The integrity that passes; 0 if unknown.
        """
        self._title, self._matrix, self._labels, self._pass_share = title, matrix, labels, pass_share
        self.refresh()

    @property
    def _plot_height(self) -> int:
        """The height of the plot in lines: what the heat strip leaves."""
        return max(2, self.size.height - 1 - len(self._matrix.criteria))

    @property
    def _label_width(self) -> int:
        """The width of the labels before the plot, which get a third of the chart at most."""
        labels = map(self._label_of, self._matrix.criteria)
        longest_label = max(map(cell_len, labels), default=0)
        return max(_LABEL_LEAST, min(longest_label + 2, self.size.width // 3))

    def _label_of(self, criterion: str) -> str:
        return clean_line(self._labels.get(criterion, criterion))

    def _columns(self) -> "tuple[list[ScoredAttempt], int]":
        """The attempts that fit, and the width of each column."""
        tries = list(self._matrix.attempts)
        plot_width = max(1, self.size.width - self._label_width - 1)
        column_width = next((w for w in (8, 6, 4, 3, 2) if len(tries) * w <= plot_width), 1)
        return tries[-(plot_width // column_width) :], column_width

    def render_line(self, y: int) -> Strip:
        """Draw one line of the chart: plot, numbers or heat."""
        width = self.size.width
        if not self._matrix.attempts:
            return Strip.blank(width, self.rich_style)
        tries, column_width = self._columns()
        if y < self._plot_height:
            pieces = self._plot(y, tries, column_width)
        elif y == self._plot_height:
            pieces = self._chosen_caption(tries, column_width)
        else:
            pieces = self._heat(y - self._plot_height - 1, tries, column_width)
        return strip(pieces, width, self.rich_style)

    def _plot(self, y: int, tries: "list[ScoredAttempt]", column_width: int) -> list[Piece]:
        current_look = look(self)
        palette, rows = current_look.palette, self._plot_height
        at_line = self._pass_share and rows - 1 - min(rows - 1, int(self._pass_share * rows)) == y
        label = (
            clean_line(self._title)
            if y == 0 and not at_line
            else f"pass at {format_percent(self._pass_share)}"
            if at_line
            else ""
        )
        role = "verdigris" if at_line else "ash"
        pieces: list[Piece] = [(fit(f" {label}", self._label_width), palette.style(role, bold=y == 0 and not at_line))]
        for attempt in tries:
            eighths = round(attempt.integrity * rows * 8) - (rows - 1 - y) * 8
            glyph = (
                _UP[min(8, max(0, eighths))]
                if current_look.glyphs.block_face
                else (current_look.glyphs.full if eighths > 3 else " ")
            )
            ink = "flash" if attempt.id == self.chosen else VERDICT_ROLES.get(attempt.verdict, "steel")
            if not glyph.strip() and at_line:
                glyph, ink = current_look.glyphs.rule, "faint"
            gap = current_look.glyphs.rule if at_line else " "
            bar = glyph * max(1, column_width - 1)
            pieces += [(bar, palette.style(ink)), (gap if column_width > 1 else "", palette.style("faint"))]
        return pieces

    def _chosen_caption(self, tries: "list[ScoredAttempt]", column_width: int) -> list[Piece]:
        """The number of the chosen attempt, below its column."""
        current_look = look(self)
        pieces: list[Piece] = [(" " * self._label_width, Style())]
        at = next((i for i, attempt in enumerate(tries) if attempt.id == self.chosen), None)
        if at is not None:
            mark = f"{current_look.glyphs.below} #{tries[at].number}  {format_percent(tries[at].integrity)}"
            mark_column = at * column_width
            plot_width = len(tries) * column_width
            if mark_column + len(mark) > max(plot_width, self.size.width - self._label_width):
                mark = f"#{tries[at].number}  {format_percent(tries[at].integrity)} {current_look.glyphs.below}"
                mark_column = max(0, mark_column + 1 - len(mark))
            pieces += [(" " * mark_column, Style()), (mark, current_look.palette.style("ash"))]
        return pieces

    def _heat(self, index: int, tries: "list[ScoredAttempt]", column_width: int) -> list[Piece]:
        current_look = look(self)
        palette, glyphs = current_look.palette, current_look.glyphs
        if index >= len(self._matrix.criteria):
            return []
        name = self._matrix.criteria[index]
        pieces: list[Piece] = [
            (fit(f" {brief(self._label_of(name), self._label_width - 2)}", self._label_width), palette.style("dim"))
        ]
        for attempt in tries:
            level = attempt.levels.get(name)
            glyph, role = " ", "faint"
            if level is not None:
                share = level[0] / level[1] if level[1] > 0 else 0.0
                glyph, role = (
                    (glyphs.full, "molten") if share >= 1
                    else (glyphs.dot, "blood") if share <= 0
                    else (glyphs.medium if share < 0.67 else glyphs.dense, "ember")
                )  # fmt: skip
            cell = glyph * max(1, column_width - 1) + (" " if column_width > 1 else "")
            pieces.append((cell, palette.style(role)))
        return pieces


class TryPanel(Horizontal):
    """The attempts on one boss as a chart; next to it, if there is room, what they moved."""

    DEFAULT_CSS = """
    TryPanel TryChart { width: 3fr; }
    TryPanel Prose { width: 2fr; display: none; padding: 0 2 0 3; }
    """

    def compose(self) -> ComposeResult:
        """Compose the chart and the list of moves."""
        yield TryChart()
        yield Prose()

    def show(self, session: "Session", boss_id: str, title: str) -> None:
        """Show the attempts on a boss; nothing if the player was never judged on it."""
        history, pack = session.history(), session.load_boss(boss_id)
        matrix = history.progress.level_matrix(boss_id, _ATTEMPTS_READ) if history else LevelMatrix((), ())
        self.display = bool(matrix.attempts)
        self.styles.min_height = len(matrix.criteria) + _LEAST_PLOT
        self.styles.max_height = len(matrix.criteria) + _LARGEST_PLOT
        self._attempts, self._labels = matrix.attempts, pack.rubric.labels if pack else {}
        pass_share = pack.rubric.overall.pass_threshold / pack.rubric.max_score if pack else 0.0
        self.query_one(TryChart).show(title, matrix, self._labels, pass_share)

    def choose(self, attempt_id: str) -> None:
        """Highlight an attempt's column, and show what this one and those before it moved."""
        self.query_one(TryChart).chosen = attempt_id
        ids = [attempt.id for attempt in self._attempts]
        attempts = self._attempts[: ids.index(attempt_id) + 1] if attempt_id in ids else ()
        parts: list[Run] = []
        for before, attempt in list(pairwise(attempts))[: -_MOVES_SHOWN - 1 : -1]:
            parts.append((f"#{attempt.number} after #{before.number}\n", "bold steel"))
            moves = list(moves_of(attempt, before, self._labels))
            for label, change in moves:
                role = "verdigris" if change > 0 else "blood"
                parts += [(f" {format_signed(change):>4}  ", f"bold {role}"), (f"{label}\n", "ash")]
            parts += [] if moves else [("  nothing moved\n", "dim")]
        self.query_one(Prose).set_text(styled(*parts))
